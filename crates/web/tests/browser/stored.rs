//! Packs and results in the browser's storage, for a page without a server.

use crate::both::comparable;
use crate::driver::browse;
use crate::site::open_offline;
use serde_json::{Value, json};

/// Returns a sequence of requests about stored packs and results: each with its method and its expected status, `body` or `text` if
/// it has a body, and `ignore` if fields may differ. `{id}` and `{next}` in a path stand for the last such fields in a response.
fn requests() -> Vec<Value> {
    serde_json::from_str(include_str!("stored.json")).unwrap()
}

/// An implementation: it is called with the method, the path and the body, and returns the status and the body of its response.
type Side<'a> = &'a dyn Fn(&str, &str, Option<&str>) -> (u16, Value);

/// Checks that two implementations answer the sequence of requests alike.
fn assert_stored_alike(sides: [Side<'_>; 2]) {
    let mut known = [const { (Value::Null, Value::Null) }; 2];
    for request in requests() {
        let about = request["about"].as_str().unwrap();
        let body = request["text"].as_str().map(str::to_owned);
        let body = body.or_else(|| Some(&request["body"]).filter(|body| !body.is_null()).map(Value::to_string));
        let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let mut first = None;
        for (side, (id, next)) in sides.iter().zip(&mut known) {
            let path = request["path"].as_str().unwrap();
            let path = path.replace("{id}", &plain(id)).replace("{next}", &plain(next));
            let (status, answer) = side(request["method"].as_str().unwrap(), &path, body.as_deref());
            assert_eq!(u64::from(status), request["status"].as_u64().unwrap_or(200), "{about}: {answer}");
            for (field, known) in [("id", id), ("next", next)] {
                let found = answer.get(field).or_else(|| answer["items"].get(0)?.get(field));
                if let Some(found) = found.filter(|found| !found.is_null()) {
                    known.clone_from(found);
                }
            }
            let answer = comparable(answer, &request);
            assert_eq!(*first.get_or_insert_with(|| answer.clone()), answer, "{about}");
        }
    }
}

#[test]
#[ignore = "needs Chromium: ./check runs it"]
fn packs_and_results_are_stored_like_by_a_server() {
    browse(|page| {
        let url = open_offline(page);
        page.open_url(&format!("{url}edit/"));
        let by_server = |method: &str, path: &str, body: Option<&str>| {
            let reply = match method {
                "GET" => page.server.get(path),
                "DELETE" => page.server.delete(path),
                _ => page.server.post_text(path, body.unwrap()),
            };
            (reply.status, reply.json)
        };
        let by_page = |method: &str, path: &str, body: Option<&str>| {
            let script = "
                const [path, init] = arguments;
                return import(new URL('../js/local.js', document.baseURI)).then(async ({ send }) => {
                    const response = await send(path, init);
                    return [response.status, (await response.text()) || JSON.stringify('')];
                })";
            let answer = page.js(script, &[json!(path), json!({ "method": method, "body": body.unwrap_or_default() })]);
            let text = answer[1].as_str().unwrap();
            (answer[0].as_u64().unwrap() as u16, serde_json::from_str(text).unwrap())
        };
        assert_stored_alike([&by_server, &by_page]);
    });
}
