-- Sends random solve requests for the forty cards and checks every response; wrk itself counts only non-2xx responses.

local boards = {}
for line in io.lines(os.getenv("BOARDS")) do
    boards[#boards + 1] = line
end

local threads = {}

function setup(thread)
    thread:set("number", #threads)
    table.insert(threads, thread)
end

function init()
    math.randomseed(1000 + number)
    wrong = 0
    requests = {}
    for i, board in ipairs(boards) do
        local body = string.format('{"board": "%s"}', board)
        requests[i] = wrk.format("POST", "/api/v1/solve", { ["Content-Type"] = "application/json" }, body)
    end
end

function request()
    return requests[math.random(#requests)]
end

function response(status, _, body)
    if status ~= 200 or not body:find('"status":"solved"', 1, true) then
        wrong = wrong + 1
    end
end

function done(summary, latency)
    local wrong = 0
    for _, thread in ipairs(threads) do
        wrong = wrong + thread:get("wrong")
    end
    local errors = summary.errors
    io.write(string.format(
        "%.0f responses per second; median %.1f ms, 99 %% within %.1f ms, maximum %.1f ms; %d responses, %d wrong, %d errors\n",
        summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        latency.max / 1e3, summary.requests, wrong,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
