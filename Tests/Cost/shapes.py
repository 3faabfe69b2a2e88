"""What a stranger may send: each shape is a function of its size in bytes.

A shape is as long as it is asked to be, to a few bytes. `TEXTS` are shapes of text, `JSON` those of JSON documents.
"""

import itertools
import json


def repeated(unit):
    """One unit, repeated."""
    unit = unit.encode() if isinstance(unit, str) else unit
    return lambda size: (unit * (size // len(unit) + 1))[: max(len(unit), size // len(unit) * len(unit))]


def framed(before, unit, after=""):
    def make(size):
        return before.encode() + repeated(unit)(max(1, size - len(before) - len(after))) + after.encode()

    return make


def numbered(form, separator=",", before="", after=""):
    """Numbered elements, no two of them equal."""

    def make(size):
        parts, length = [], len(before) + len(after)
        for number in itertools.count():
            part = form.replace("#", str(number))
            length += len((part + separator).encode())
            if length > size:
                break
            parts.append(part)
        return (before + separator.join(parts) + after).encode()

    return make


def nested(opening, inner, closing):
    return lambda size: (
        opening * (size // (len(opening) + len(closing))) + inner + closing * (size // (len(opening) + len(closing)))
    ).encode()


MARK = "\u0301"
# Marks of two classes, in an order that normalisation has to change.
MARKS = "\u0301\u0316"

TEXTS = {
    "one long word": repeated("a"),
    "many short words": repeated("a "),
    "capitals": repeated("Aa"),
    "lines": repeated("a\n"),
    "lines with CR": repeated("a\r\n"),
    "empty lines": repeated("\r\n"),
    "folded lines": repeated("a\r\n "),
    "colons": repeated(":"),
    "colons after ://": framed("://", ":"),
    "beginnings of URLs": repeated("://"),
    "URLs with users": repeated("a://b:c@d "),
    "URLs in one word": repeated("a://b:c,"),
    "at signs": framed("://a:", "@"),
    "slashes": repeated("/"),
    "dots": repeated("."),
    "dots up": repeated("../"),
    "commas": repeated(","),
    "semicolons": repeated("a=b;"),
    "equals signs": repeated("="),
    "parameters": numbered("a#=b", ", "),
    "parameters of one name": repeated('a="b", '),
    "quotation marks": repeated('"'),
    "backslashes": repeated("\\"),
    "backslashes in quotes": framed('a="', "\\", '"'),
    "escaped bytes": repeated("%41"),
    "percent signs": repeated("%"),
    "combining marks": framed("a", MARK),
    "combining marks out of order": framed("a", MARKS),
    "combining marks below the limit": repeated("a" + MARK * 29),
    "words with marks": repeated("a" + MARK + " "),
    "parts of syllables": repeated("\u1100\u1161\u11a8"),
    "flags": repeated("\U0001f1e6"),
    "joined emoji": repeated("\U0001f468\u200d"),
    "marks of direction": repeated("\u202e"),
    "NUL": repeated("\0"),
    "controls": repeated("\x01"),
    "escape sequences": repeated("\x1b[2J"),
    "no UTF-8": repeated(b"\xff"),
    "ends of characters": repeated(b"\x80"),
    "blanks": repeated(" "),
    "tabs": repeated("\t"),
    "digits": repeated("1"),
    "numbers with dots": repeated("1.1."),
    "brackets": repeated("["),
    "braces": repeated("{"),
    "names of headers": numbered("A#: b", "\r\n"),
    "equal headers": repeated("A: b\r\n"),
}

JSON = {
    "lists in one another": nested("[", "", "]"),
    "objects in one another": nested('{"a":', "1", "}"),
    "lists in one another, at most 16": framed("[", "[" * 16 + "]" * 16 + ",", "1]"),
    "one long text": framed('{"a":"', "a", '"}'),
    "one long name": framed('{"', "a", '":1}'),
    "marks in a name": framed('{"a', MARKS, '":1}'),
    "marks below the limit in names": numbered('"a' + MARK * 29 + '#":1', ",", "{", "}"),
    "marks as escapes": framed('{"a', "\\u0301\\u0316", '":1}'),
    "escapes": framed('{"a":"', "\\n", '"}'),
    "equal names": framed("{", '"a":1,', '"b":1}'),
    "many names": numbered('"a#":1', ",", "{", "}"),
    "many unknown settings": numbered('"printer_ip#":"a"', ",", "{", "}"),
    "many short lists": framed("[", "[],", "1]"),
    "many numbers": framed("[", "0,", "0]"),
    "a long number": framed("[", "1", "]"),
    "long fractions": framed("[0.", "1", "]"),
    "exponents": framed("[", "1e9,", "1]"),
    "elements with one id": framed("[", '{"id":"1"},', '{"id":"1"}]'),
    "elements with ids": numbered('{"id":"#"}', ",", "[", "]"),
    "elements with ids, then one id": lambda size: (
        b"[" + numbered('{"id":"#"}')(size // 2) + b"," + repeated('{"id":"-1"},')(size // 2)[:-1] + b"]"
    ),
    "blanks in lists": framed("[", " ", "]"),
}


def text(value):
    """The shape as a JSON string; bytes that are not UTF-8 stay as they are."""
    return b'"' + json.dumps(value.decode("utf-8", "surrogateescape"), ensure_ascii=False)[1:-1].encode(
        "utf-8", "surrogateescape"
    ) + b'"'


def self_check():
    for name, shape in {**TEXTS, **JSON}.items():
        for size in (1_000, 4_000):
            assert abs(len(shape(size)) - size) < 120, (name, size, len(shape(size)))


if __name__ == "__main__":
    self_check()
    print(f"{len(TEXTS)} shapes of text, {len(JSON)} of JSON")
