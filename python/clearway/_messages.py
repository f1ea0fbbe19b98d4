"""Messages of the command line in the terms of Python: keyword arguments in the place of options."""

from __future__ import annotations

import re

#: Details of the parsers of numbers, and what they mean.
_DETAILS = {
    "invalid digit found in string": "expected a whole number that is not negative",
    "number too large to fit in target type": "the number is too large",
    "invalid float literal": "expected a number",
    "cannot parse integer from empty string": "expected a whole number",
}
#: Options whose keyword arguments have other names.
_NAMES = {"from": "from_", "no-machine": "machine=False"}
_OPTION = r"--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)"


def in_python(text: str) -> str:
    """Rewrites a message of the command line.

    >>> print(in_python("error: invalid value '-1' for '--node-limit <N>': invalid digit found in string"))
    invalid node_limit '-1'; expected a whole number that is not negative
    >>> print(in_python("error: the argument '--first' cannot be used with '--within <FACTOR>'"))
    'first' cannot be used with 'within'
    """
    # clap ends with the usage and a hint to --help.
    text = re.sub(r"\n+(Usage: .*|For more information, try .*)", "", text, flags=re.DOTALL)
    text = re.sub(r"\A\s*(error: |x )", "", text)
    text = re.sub(rf"invalid value '(.*?)' for '{_OPTION}[^']*'(: )?", _invalid_value, text)
    text = re.sub(r"invalid value '(.*?)' for '[\[<]([A-Z]+)[\]>]'", _invalid_value, text)
    # The details of some values repeat them.
    text = re.sub(r"(invalid \w+ '(.*?)'; )invalid \w+ '\2'; ", r"\1", text)
    text = re.sub(rf"unexpected argument '{_OPTION}' found", lambda match: f"unknown option '{_name(match[1])}'", text)
    text = re.sub(rf"the argument '{_OPTION}[^']*'", lambda match: f"'{_name(match[1])}'", text)
    text = re.sub(r"\n +\[possible values: (.*?)\]", r"; expected one of \1", text)
    text = re.sub(
        rf"\s*\n +tip: (?:a|some) similar (?:arguments?|values?) exists?: '(?:{_OPTION}|([^']*))'.*",
        lambda match: f"; did you mean '{_name(match[1]) if match[1] else match[2]}'?",
        text,
        flags=re.DOTALL,
    )
    text = re.sub(r"\S+ is not in (\d+)\.\.=(\d+)", r"expected a number from \1 to \2", text)
    for detail, meaning in _DETAILS.items():
        text = text.replace(detail, meaning)
    return "\n".join(map(_without_options, text.splitlines())).rstrip()


def _invalid_value(match: re.Match[str]) -> str:
    return f"invalid {_name(match[2]).lower()} '{match[1]}'" + ("; " if match[0].endswith(" ") else "")


def _name(option: str) -> str:
    return _NAMES.get(option, option.replace("-", "_"))


def _without_options(line: str) -> str:
    """Replaces options in a line, except in excerpts of the input and in whole commands."""
    if re.match(r"\s*(\d+ )?[|:│·]", line) or re.search(r"\bclearway [a-z]", line):
        return line
    return re.sub(
        rf"(?<![\w-])(['`]?){_OPTION}(?: <\w+>)?\1", lambda match: match[1] + _name(match[2]) + match[1], line
    )
