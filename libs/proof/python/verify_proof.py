#!/usr/bin/env python3
"""Verifies a proof bundle of Palimpsest: steps 1 to 6 of its verification, with Python's standard library alone.

It shares no code with the service, so that two independent programs say the same about one file:

    python3 verify_proof.py session.palimpsest [--policy trusted.policy] [--json]

Exit code: 0 valid, 1 invalid, 2 incomplete, 3 unknown key, 4 malformed, 5 nothing was verified. Step 7, the replay of requests, needs the engine:
`palimpsest verify` does it. Read it from the top down; each function is one rule of docs/guides/proofs.md.
"""

import argparse
import base64
import bisect
import hashlib
import hmac
import json
import math
import re
import sys
from datetime import datetime, timezone

FORM = "palimpsest/proof/v2"
OUTCOMES = ["malformed", "invalid", "unknown-key", "incomplete", "valid"]  # From the worst to the best.
EXIT_CODES = {"valid": 0, "invalid": 1, "incomplete": 2, "unknown-key": 3, "malformed": 4}
NOTHING_VERIFIED = 5  # The exit code for wrong usage, and where a file cannot be read.
COUNT_MAX = 2**53 - 1
DEPTH_MAX = 600  # Lists and objects in each other.


class Fault(Exception):
    """One thing that is wrong, with the outcome that follows from it."""

    def __init__(self, outcome, detail):
        super().__init__(detail)
        self.outcome = outcome


def malformed(detail):
    return Fault("malformed", detail)


# Encodings ------------------------------------------------------------------------------------------------------------


def unbase64(text):
    """Decodes the one canonical encoding of some bytes."""
    try:
        decoded = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        raise malformed("a text is no base64")
    if base64.b64encode(decoded).decode() != text:
        raise malformed("a text is no canonical base64")
    return decoded


def unbase64_hash(text):
    decoded = unbase64(text)
    if len(decoded) != 32:
        raise malformed("a hash is no base64 of 32 bytes")
    return decoded


def b64(data):
    return base64.b64encode(data).decode()


def digest(text):
    """SHA-256 of a text; JSON may hold half of a surrogate pair, which UTF-8 cannot: it counts as U+FFFD."""
    return b64(hashlib.sha256(utf8(text)).digest())


def utf8(text):
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def read_json(text, line):
    def refuse(_):
        raise ValueError("no JSON number")

    depth = 0
    for bracket in re.findall(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', text, re.DOTALL):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(bracket, 0)
        if depth > DEPTH_MAX:
            raise malformed(f"line {line} is nested deeper than {DEPTH_MAX} levels")
    try:
        value = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise malformed(f"line {line} is no JSON")
    return value


def member(given, name, kind, line):
    """Returns a member of an object; numbers are whole and not negative."""
    value = given.get(name)
    if kind is int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= COUNT_MAX:
            raise malformed(f'line {line} has no whole number "{name}"')
    elif not isinstance(value, kind):
        raise malformed(f'line {line} has no "{name}" of its kind')
    return value


# The file -------------------------------------------------------------------------------------------------------------

CLEAR = re.compile(
    r'\{(?:"key":"([A-Za-z0-9_~-]{1,4096})",)?(?:"digest":"([A-Za-z0-9+/]{43}=)",)?"content":(.*)\}', re.DOTALL
)


class Bundle:
    """A file as it was read; nothing in it is verified."""

    def __init__(self, data):
        lines, start = [], 0
        while (end := data.find(b"\n", start)) >= 0:
            try:
                lines.append((data[start:end].decode("utf-8"), start))
            except UnicodeDecodeError:
                raise malformed(f"line {len(lines) + 1} is no UTF-8")
            start = end + 1
        if not lines or not lines[0][0].startswith('{"form":"' + FORM + '"'):
            raise malformed(f"line 1 does not begin a proof of the form {FORM}")
        self.manifest = self.read_manifest(lines[0][0])
        if len(lines) < 3:
            raise Fault("incomplete", "the file ends before the first event")
        self.read_log(lines[1][0])
        self.read_inclusion(lines[2][0])
        self.events, self.receipts, self.blobs = [], [], {}
        self.signature, self.key, signed = None, None, len(data)
        for number, (text, at) in enumerate(lines[3:], 4):
            if self.signature is not None:
                raise malformed(f"line {number} is behind the signature")
            if text.startswith('{"signature":'):
                given = self.read_object(text, number)
                self.signature = member(given, "signature", str, number)
                written = json.dumps({"signature": self.signature}, ensure_ascii=False, separators=(",", ":"))
                if text != written:  # The signature covers all lines but its own.
                    raise malformed(f"line {number} is more than a signature")
                signed = at
            else:
                self.read_line(text, number)
        if self.signature is not None and start < len(data):
            raise malformed("the file goes on behind the signature")
        self.digest = b64(hashlib.sha256(data[:signed]).digest())

    @staticmethod
    def read_object(text, line):
        value = read_json(text, line)
        if not isinstance(value, dict):
            raise malformed(f"line {line} is no object")
        return value

    def read_manifest(self, text):
        given = self.read_object(text, 1)
        events = member(given, "events", dict, 1)
        for name in ("first", "last", "count"):
            events[name] = member(events, name, int, 1)
        if member(given, "content", str, 1) not in ("clear", "sealed"):
            raise malformed("line 1 has content neither clear nor sealed")
        if given.get("order") != "revision":
            raise malformed("line 1 has no order by revision")
        for name in ("origin", "tenant", "session", "stream", "engine", "exportedAt", "profile"):
            member(given, name, str, 1)
        given["size"] = member(given, "size", int, 1)
        for name in ("prompts", "notProven"):
            self.texts(given, name, 1)
        return given

    @staticmethod
    def texts(given, name, line):
        values = member(given, name, list, line)
        if not all(isinstance(value, str) for value in values):
            raise malformed(f'line {line} has a list "{name}" with more than texts')
        return values

    def read_log(self, text):
        given = self.read_object(text, 2)
        self.checkpoint = member(given, "checkpoint", str, 2)
        self.salt = member(given, "salt", str, 2)
        self.content_salts = member(given, "contentSalts", dict, 2)
        if not all(isinstance(salt, str) for salt in self.content_salts.values()):
            raise malformed("line 2 has a salt that is no text")
        if "since" in given:
            since = member(given, "since", dict, 2)
            member(since, "size", int, 2)
            self.texts(since, "proof", 2)
        self.heads, self.entries = [], []
        for head in member(given, "heads", list, 2):
            if not isinstance(head, dict):
                raise malformed("line 2 has a head that is no object")
            self.heads.append((member(head, "checkpoint", str, 2), self.texts(head, "proof", 2)))
        for entry in member(given, "entries", list, 2):
            if not isinstance(entry, dict):
                raise malformed("line 2 has an entry that is no object")
            self.entries.append((member(entry, "index", int, 2), member(entry, "text", str, 2)))

    def read_inclusion(self, text):
        given = self.read_object(text, 3)
        self.index = member(given, "index", int, 3)
        self.sealed = member(given, "sealed", str, 3) if "sealed" in given else None
        if self.sealed is not None and not re.fullmatch(r"-|[A-Za-z0-9+/]{43}=", self.sealed):
            raise malformed("line 3 has a commitment that is none")
        self.siblings = self.texts(given, "siblings", 3)

    def read_line(self, text, line):
        if text.startswith('{"id":'):
            self.events.append({"text": text, **self.read_event(text, line), "contents": []})
        elif text.startswith('{"receipt":'):
            self.receipts.append(self.read_receipt(text, line))
        elif text.startswith('{"blob":'):
            given = self.read_object(text, line)
            self.blobs[member(given, "blob", str, line)] = member(given, "text", str, line)
        else:
            self.read_content(text, line)

    def read_content(self, text, line):
        found = CLEAR.fullmatch(text)
        if found or text.startswith("["):
            key, sealed, clear = found.groups() if found else (None, None, text)
            key = key or self.key
            if key is None:
                raise malformed(f"line {line} has content without a key")
            if not isinstance(read_json(clear, line), list):
                raise malformed(f"line {line} has content that is no list")
            self.key = key
            content = {"kind": "clear", "key": key, "sealed": sealed, "text": clear}
        elif text.startswith('{"sealed":'):
            content = {"kind": "sealed", "text": member(self.read_object(text, line), "sealed", str, line)}
        else:
            raise malformed(f"line {line} is no event, content, blob, receipt or signature")
        if not self.events:
            raise malformed(f"line {line} is content without its event")
        self.events[-1]["contents"].append(content)

    def read_event(self, text, line):
        given = self.read_object(text, line)
        kinds = {"id": str, "revision": int, "type": str, "data": dict, "metadata": dict}
        return {name: member(given, name, kind, line) for name, kind in kinds.items()}

    def read_receipt(self, text, line):
        given = member(self.read_object(text, line), "receipt", dict, line)
        event = member(given, "event", str, line)
        previous = given.get("previous", "")
        return {
            **self.read_event(event, line),
            "index": member(given, "index", int, line),
            "stream": member(given, "stream", str, line),
            "salt": member(given, "salt", str, line),
            "previous": None if "previous" in given and previous is None else member(given, "previous", str, line),
            "text": event,
        }


# Step 1: leaves -------------------------------------------------------------------------------------------------------

WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.$:-]{0,99}")


def commitment(salt, text):
    return b64(hmac.new(utf8(salt), utf8(text), hashlib.sha256).digest())


def word(value):
    return value if isinstance(value, str) and WORD.fullmatch(value) else "-"


def leaf_of(stream, salt, event, public, sealed):
    """A record of eight lines, with the commitments to all public parts and sealed contents up to the event."""
    return "".join(
        line + "\n"
        for line in (
            "palimpsest/event/v2",
            commitment(salt, "stream\n" + stream),
            str(event["revision"]),
            word(event["id"]),
            word(event["type"]),
            word(event["metadata"].get("recordedAt")),
            public,
            sealed,
        )
    )


def leaf_hash(text):
    return hashlib.sha256(b"\x00" + utf8(text)).digest()


def hex_digest(text):
    try:
        return b64(bytes.fromhex(text))
    except ValueError:
        return ""


def claims_of(metadata):
    """The digests of texts that belong to an event and are lines of their own; sealed content is none of them."""
    claims = metadata.get("claims")
    for claim in claims if isinstance(claims, list) else []:
        path, name = (claim.get("path"), claim.get("digest")) if isinstance(claim, dict) else (None, None)
        if isinstance(path, list) and isinstance(name, str) and path[:1] != ["sealed"]:
            yield name


def check_leaves(bundle, faults):
    """Returns the hash of the last event's leaf, which commits to all events."""
    public, sealed = "-", "-"
    for event in bundle.events:
        contents, recorded = event["contents"], event["data"].get("contentDigest")
        recorded = recorded if isinstance(recorded, list) else [] if recorded is None else [recorded]
        public = commitment(bundle.salt, f"public\n{public}\n{event['text']}")
        digests = [one["sealed"] if one["kind"] == "clear" else digest(one["text"]) for one in contents]
        if bundle.sealed is not None and any(one["kind"] == "sealed" for one in contents):
            faults.append(Fault("invalid", f"event {event['revision']} has sealed content that no commitment proves"))
        elif bundle.sealed is None and None in digests:
            faults.append(Fault("invalid", f"event {event['revision']} has content without the digest of its sealed form"))
        elif bundle.sealed is None and digests:
            sealed = commitment(bundle.salt, f"sealed\n{sealed}\n" + "\n".join(digests))
        # A file that is cut may end between an event and what belongs to it.
        is_cut = bundle.signature is None and event is bundle.events[-1]
        if len(contents) > len(recorded) or (len(contents) < len(recorded) and not is_cut):
            faults.append(Fault("invalid", f"event {event['revision']} has {len(contents)} of {len(recorded)} contents"))
        for at, content in enumerate(contents):
            if content["kind"] == "sealed":
                continue
            salt = bundle.content_salts.get(content["key"])
            text = f"content\n{event['id']}\n{content['text']}"
            if salt is None or at >= len(recorded) or commitment(salt, text) != recorded[at]:
                faults.append(Fault("invalid", f"event {event['revision']} has other content than was recorded"))
                break
        if not is_cut and any(one not in bundle.blobs for one in claims_of(event["metadata"])):
            faults.append(Fault("invalid", f"event {event['revision']} lacks a text that belongs to it"))
    for name, text in bundle.blobs.items():
        if digest(text) != hex_digest(name):
            faults.append(Fault("invalid", f"a text does not have its digest {name}"))
    if not bundle.events:
        return None
    sealed = sealed if bundle.sealed is None else bundle.sealed
    return leaf_hash(leaf_of(bundle.manifest["stream"], bundle.salt, bundle.events[-1], public, sealed))


# Steps 2 and 3: the Merkle tree (RFC 6962) ----------------------------------------------------------------------------


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def middle_of(start, end):
    power = 1
    while power * 2 < end - start:
        power *= 2
    return start + power


def root_of(leaves, size, siblings):
    """The root that these leaves and the roots of the largest subtrees without any of them lead to; None if they do not fit."""
    indices = sorted(leaves)
    rest = iter(siblings)
    if not indices or indices[-1] >= size:
        return None

    def visit(start, end, low, high):
        """`indices[low:high]` are those in the range."""
        if low == high:
            return next(rest, None)
        if end - start == 1:
            return leaves[start]
        middle = middle_of(start, end)
        split = bisect.bisect_left(indices, middle, low, high)
        left = visit(start, middle, low, split)
        right = visit(middle, end, split, high) if left else None
        return node_hash(left, right) if left and right else None

    root = visit(0, size, 0, len(indices))
    return root if next(rest, None) is None else None


def check_inclusion(bundle, last, size, root):
    leaves = {bundle.index: last}
    others = [(index, leaf_hash(text)) for index, text in bundle.entries]
    for receipt in bundle.receipts:
        before = "-" if receipt["previous"] is None else receipt["previous"]
        public = commitment(receipt["salt"], f"public\n{before}\n{receipt['text']}")
        leaf = leaf_of(receipt["stream"], receipt["salt"], receipt, public, "-")  # Erasures have no content.
        others.append((receipt["index"], leaf_hash(leaf)))
    for index, leaf in others:
        if index in leaves:
            raise Fault("invalid", f"two leaves have the place {index}")
        leaves[index] = leaf
    if root_of(leaves, size, [unbase64_hash(text) for text in bundle.siblings]) != root:
        raise Fault("invalid", f"the leaves do not lead to the root of the {size} leaves")


def is_consistent(old_size, old_root, size, root, proof):
    """RFC 9162, section 2.1.4.2."""
    if old_size > size:
        return False
    if old_size == size:
        return not proof and old_root == root
    if old_size == 0:
        return not proof and old_root == hashlib.sha256(b"").digest()
    if not proof:
        return False
    hashes = ([old_root] if old_size & (old_size - 1) == 0 else []) + proof
    at, last = old_size - 1, size - 1
    while at % 2 == 1:
        at, last = at // 2, last // 2
    old = new = hashes[0]
    for one in hashes[1:]:
        if last == 0:
            return False
        if at % 2 == 1 or at == last:
            old, new = node_hash(one, old), node_hash(one, new)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            new = node_hash(new, one)
        at, last = at // 2, last // 2
    return last == 0 and old == old_root and new == root


# Step 4: signatures (C2SP signed-note, tlog-checkpoint, tlog-cosignature, tlog-policy) ---------------------------------

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def decompress(data):
    """A point of edwards25519 as (X, Y, Z, T); None for bytes that are none (RFC 8032, section 5.1.3)."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P != 0:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - x2) % P != 0 or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return (x, y, 1, x * y % P)


def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    w, x, y, z = f - e, h - g, h + g, f + e
    return (w * x % P, y * z % P, x * y % P, w * z % P)


def multiply(scalar, point):
    product = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            product = add(product, point)
        point, scalar = add(point, point), scalar >> 1
    return product


BASE = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(public_key, message, signature):
    """RFC 8032, section 5.1.7."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    a, r = decompress(public_key), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    left, right = multiply(s, BASE), add(r, multiply(k, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# ML-DSA-44 (FIPS 204): polynomials are lists of 256 numbers modulo Q.

Q = 8380417
GAMMA_1, GAMMA_2, TAU, BETA, OMEGA = 1 << 17, (8380417 - 1) // 88, 39, 78, 80
ZETAS = [pow(1753, int(f"{place:08b}"[::-1], 2), Q) for place in range(256)]


def ntt(w):
    """Algorithm 41."""
    w, m, length = list(w), 0, 128
    while length >= 1:
        for start in range(0, 256, 2 * length):
            m += 1
            zeta = ZETAS[m]
            for j in range(start, start + length):
                t = zeta * w[j + length] % Q
                w[j], w[j + length] = (w[j] + t) % Q, (w[j] - t) % Q
        length //= 2
    return w


def inverse_ntt(w):
    """Algorithm 42."""
    w, m, length = list(w), 256, 1
    while length < 256:
        for start in range(0, 256, 2 * length):
            m -= 1
            zeta = Q - ZETAS[m]
            for j in range(start, start + length):
                t = w[j]
                w[j], w[j + length] = (t + w[j + length]) % Q, zeta * (t - w[j + length]) % Q
        length *= 2
    return [8347681 * one % Q for one in w]


def unpacked(data, bits):
    """256 numbers of so many bits each, the lowest bit first."""
    value = int.from_bytes(data, "little")
    return [value >> (bits * at) & ((1 << bits) - 1) for at in range(256)]


def matrix_entry(seed):
    """Algorithm 30: a polynomial in NTT form."""
    length, found = 1008, []
    while len(found) < 256:
        stream = hashlib.shake_128(seed).digest(length)
        threes = (stream[at : at + 3] for at in range(0, length, 3))
        numbers = (int.from_bytes(three, "little") & 0x7FFFFF for three in threes)
        found, length = [one for one in numbers if one < Q][:256], length * 2
    return found


def challenge(seed):
    """Algorithm 29: a polynomial with TAU coefficients of 1 or -1."""
    stream = hashlib.shake_256(seed).digest(4096)
    signs, c, at = int.from_bytes(stream[:8], "little"), [0] * 256, 8
    for i in range(256 - TAU, 256):
        while stream[at] > i:
            at += 1
        c[i], c[stream[at]] = c[stream[at]], 1 - 2 * (signs & 1)
        signs, at = signs >> 1, at + 1
    return c


def hints(data):
    """Algorithm 21; None for bytes that are no hints."""
    found, at = [set(), set(), set(), set()], 0
    for i, end in enumerate(data[OMEGA:]):
        if not at <= end <= OMEGA or any(one >= other for one, other in zip(data[at:end], data[at + 1 : end])):
            return None
        found[i] = set(data[at:end])
        at = end
    return None if any(data[at:OMEGA]) else found


def high_bits(r, is_hinted):
    """Algorithm 40."""
    low = r % (2 * GAMMA_2)
    low = low - 2 * GAMMA_2 if low > GAMMA_2 else low
    high, low = (0, low - 1) if r - low == Q - 1 else ((r - low) // (2 * GAMMA_2), low)
    return (high + (1 if low > 0 else -1)) % 44 if is_hinted else high


def is_signed_by_ml_dsa(public_key, message, signature):
    """Algorithms 3 and 8, with an empty context."""
    if len(public_key) != 1312 or len(signature) != 2420:
        return False
    seed, hinted = signature[:32], hints(signature[2336:])
    z = [[GAMMA_1 - one for one in unpacked(signature[32 + 576 * at : 608 + 576 * at], 18)] for at in range(4)]
    if hinted is None or any(abs(one) >= GAMMA_1 - BETA for row in z for one in row):
        return False
    z, c, packed = [ntt(row) for row in z], ntt(challenge(seed)), b""
    for i in range(4):
        t1 = ntt([one << 13 for one in unpacked(public_key[32 + 320 * i : 352 + 320 * i], 10)])
        row = [matrix_entry(public_key[:32] + bytes((j, i))) for j in range(4)]
        w = inverse_ntt([(sum(row[j][n] * z[j][n] for j in range(4)) - c[n] * t1[n]) % Q for n in range(256)])
        value = sum(high_bits(one, n in hinted[i]) << (6 * n) for n, one in enumerate(w))
        packed += value.to_bytes(192, "little")
    key_hash = hashlib.shake_256(public_key).digest(64)
    mu = hashlib.shake_256(key_hash + b"\x00\x00" + message).digest(64)
    return hashlib.shake_256(mu + packed).digest(32) == seed


ED25519, COSIGNATURE, ML_DSA_44 = 1, 4, 6
KEY_BYTES = {ED25519: 32, COSIGNATURE: 32, ML_DSA_44: 1312}


def is_name(name):
    return name != "" and "+" not in name and not re.search(r"[\s\x00-\x1f\x7f-\x9f]", name)


def read_key(text):
    """A vkey as (name, id, type, public key)."""
    found = re.fullmatch(r"([^+]*)\+([0-9a-f]{8})\+(.*)", text, re.DOTALL)
    if not found or not is_name(found[1]):
        raise malformed("a key is not of the form name+id+base64")
    material = unbase64(found[3])
    kind = material[0] if material else 0
    if KEY_BYTES.get(kind) != len(material) - 1:
        raise malformed("a key has an unknown type, or another length")
    if hashlib.sha256(utf8(found[1]) + b"\n" + material).hexdigest()[:8] != found[2]:
        raise malformed("the id is not that of the key")
    return (found[1], bytes.fromhex(found[2]), kind, material[1:])


class Note:
    def __init__(self, text):
        if re.search(r"[\x00-\x09\x0b-\x1f]", text) or any(0xD800 <= ord(c) < 0xE000 for c in text):
            raise malformed("a note holds a control character, or no Unicode text")
        split = text.rfind("\n\n")
        block = text[split + 2 :]
        if split < 0 or not block.endswith("\n") or block.count("\n") > 100:
            raise malformed("a note has no signatures")
        self.text, self.signatures = text[: split + 1], []
        for line in block[:-1].split("\n"):
            words = line[2:].split(" ") if line.startswith("— ") else []
            if len(words) != 2 or not is_name(words[0]):
                raise malformed("a note has a line that is no signature")
            signature = unbase64(words[1])
            if len(signature) < 5:
                raise malformed("a note has a line that is no signature")
            self.signatures.append((words[0], signature[:4], signature[4:]))

    def verified(self, keys):
        """The keys of the list that have signed. A signature by a known key that does not verify is a fault."""
        found = []
        for name, key_id, signature in self.signatures:
            key = next((one for one in keys if one[0] == name and one[1] == key_id), None)
            if key is None:
                continue
            time = signature[:8]
            if int.from_bytes(time, "big") > COUNT_MAX and key[2] != ED25519:
                is_valid = False
            elif key[2] == ML_DSA_44:
                is_valid = is_signed_by_ml_dsa(key[3], self.tree_message(name, time), signature[8:])
            elif key[2] == COSIGNATURE:
                message = f"cosignature/v1\ntime {int.from_bytes(time, 'big')}\n{self.text}"
                is_valid = is_signed(key[3], utf8(message), signature[8:])
            else:
                is_valid = is_signed(key[3], utf8(self.text), signature)
            if not is_valid:
                raise Fault("invalid", f"the signature of {name} does not verify")
            found.append(key)
        return found


    def tree_message(self, name, time):
        """tlog-cosignature, "ML-DSA-44 signed message", of the whole tree."""
        origin, size, root = read_checkpoint(self)
        if len(utf8(name)) > 255 or len(utf8(origin)) > 255:
            raise malformed("a name is longer than 255 bytes")
        names = [bytes((len(utf8(one)),)) + utf8(one) for one in (name, origin)]
        return b"subtree/v1\n\0" + names[0] + time + names[1] + bytes(8) + size.to_bytes(8, "big") + root


def read_checkpoint(note):
    """(origin, size, root) of a checkpoint."""
    lines = note.text[:-1].split("\n")
    if len(lines) < 3 or "" in lines or not re.fullmatch(r"0|[1-9][0-9]{0,15}", lines[1]):
        raise malformed("a checkpoint is not origin, size and root")
    if int(lines[1]) > COUNT_MAX:
        raise malformed("a checkpoint has a size beyond 2^53 - 1")
    return lines[0], int(lines[1]), unbase64_hash(lines[2])


class Policy:
    """tlog-policy: whose signatures are trusted."""

    def __init__(self, text):
        self.logs, self.witnesses, self.groups, self.quorum = [], {}, {}, None
        grouped = set()
        for line in text.split("\n"):
            words = re.findall(r"[^ \t]+", line)
            if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line):
                raise malformed("the policy holds a control character")
            if not words or words[0].startswith("#"):
                continue
            kind, rest = words[0], words[1:]
            if kind == "log" and 1 <= len(rest) <= 2:
                key = read_key(rest[0])
                if key[2] == COSIGNATURE or key[3] in [one[3] for one in self.logs]:
                    raise malformed("a log has a key that signs for no log, or that another one has")
                self.logs.append(key)
            elif kind == "witness" and 2 <= len(rest) <= 3 and rest[0] not in {**self.witnesses, **self.groups, "none": 0}:
                key = read_key(rest[1])
                if key[2] == ED25519 or key[3] in [one[3] for one in self.witnesses.values()]:
                    raise malformed("a witness has a key that does not cosign, or that another one has")
                self.witnesses[rest[0]] = key
            elif kind == "group" and len(rest) >= 3 and rest[0] not in {**self.witnesses, **self.groups, "none": 0}:
                members = rest[2:]
                if any(one not in {**self.witnesses, **self.groups} or one in grouped for one in members):
                    raise malformed("a group has a member that is not defined above, or has another group")
                grouped.update(members)
                least = {"all": len(members), "any": 1}.get(rest[1]) or int(re.fullmatch(r"[0-9]+", rest[1]) and rest[1] or 0)
                if not 1 <= least <= len(members):
                    raise malformed("a group asks for more members than it has")
                self.groups[rest[0]] = (least, members)
            elif kind == "quorum" and len(rest) == 1 and self.quorum is None:
                if rest[0] not in {**self.witnesses, **self.groups, "none": 0}:
                    raise malformed("the quorum is not defined above")
                self.quorum = rest[0]
            else:
                raise malformed("the policy has a line that is no log, witness, group or quorum")
        if self.quorum is None:
            raise malformed("the policy has no quorum")

    def has_witnessed(self, name, cosigned):
        if name == "none" or name in cosigned:
            return True
        least, members = self.groups.get(name, (1, []))
        return sum(self.has_witnessed(one, cosigned) for one in members) >= least

    def require(self, note, keys, with_quorum):
        origin = read_checkpoint(note)[0]
        if not note.verified([key for key in keys if key[0] == origin]):
            raise Fault("unknown-key", f"no log of the policy has signed for {origin}")
        cosigned = {name for name, key in self.witnesses.items() if note.verified([key])}
        if with_quorum and not self.has_witnessed(self.quorum, cosigned):
            raise Fault("incomplete", f"{self.witness_text(cosigned)}, which is not the quorum {self.quorum}")

    def witness_text(self, cosigned):
        missing = [name for name in self.witnesses if name not in cosigned]
        text = f"{len(cosigned)} of {len(self.witnesses)} witnesses: {', '.join(sorted(cosigned)) or 'none'}"
        return f"{text}; missing: {', '.join(missing)}" if missing else text


LOG, KEY, POLICY = "palimpsest/log/v1\n", "palimpsest/key/v1\n", "palimpsest/policy/v1\n"


def own_policy(bundle):
    """Without a policy of the reader, the log's first entry says who signs, and its newest policy who witnesses."""
    first = next((text for index, text in bundle.entries if index == 0), "")
    if not first.startswith(LOG):
        raise malformed("the first entry of the log is missing")
    own = Policy(first[len(LOG) :])
    newer = [text for _, text in bundle.entries if text.startswith(POLICY)]
    policy = Policy(newer[-1][len(POLICY) :]) if newer else own
    policy.logs = own.logs
    return policy


def check_heads(bundle, given, faults):
    """Signatures of the heads and of the file, and that each head continues those before it. Returns the main head."""

    def attempt(work):
        try:
            return work()
        except Fault as fault:
            faults.append(fault)
            return None

    manifest = bundle.manifest
    policy = given or attempt(lambda: own_policy(bundle))
    note = attempt(lambda: Note(bundle.checkpoint))
    main = note and attempt(lambda: read_checkpoint(note))
    if main and (main[1] != manifest["size"] or main[0] != manifest["origin"]):
        faults.append(Fault("invalid", "the checkpoint is of another tree than the manifest"))
    keys = list(policy.logs) if policy else []
    for text, proof in bundle.heads:
        older = attempt(lambda: Note(text))
        head = older and attempt(lambda: read_checkpoint(older))
        hashes = attempt(lambda: [unbase64_hash(one) for one in proof])
        if not head or hashes is None or not main or not policy:
            continue
        if head[0] != main[0] or not is_consistent(head[1], head[2], main[1], main[2], hashes):
            faults.append(Fault("invalid", f"the tree of {main[1]} leaves does not continue the one of {head[1]}"))
            continue
        keys = attempt(lambda: keys_after(bundle, older, head, keys)) or keys
    if policy and note and main:
        attempt(lambda: policy.require(note, keys, True))
    if not any(key[2] == ED25519 for key in keys):
        # A policy may name keys that sign checkpoints alone: the tree under such a signature names the key that signs files.
        keys += attempt(lambda: keys_for_files(bundle)) or []
    if bundle.signature is not None:
        attempt(lambda: check_signature(bundle, keys))
    return main


def keys_after(bundle, note, head, keys):
    """The newest keys that entries before a head name, if a trusted key has signed the head; else None."""
    if not note.verified([key for key in keys if key[0] == head[0]]):
        return None
    named = [entry for index, entry in bundle.entries if is_key_entry(entry) and index < head[1]]
    return [read_key(line) for line in named[-1][len(KEY) : -1].split("\n")] if named else None


def keys_for_files(bundle):
    """The Ed25519 keys that the newest entry about keys names."""
    about = [entry for _, entry in bundle.entries if is_key_entry(entry) or entry.startswith(LOG)]
    if not about:
        return []
    newest = about[-1]
    is_first = newest.startswith(LOG)
    keys = Policy(newest[len(LOG) :]).logs if is_first else [read_key(line) for line in newest[len(KEY) : -1].split("\n")]
    return [key for key in keys if key[0] == bundle.manifest["origin"] and key[2] == ED25519]


def is_key_entry(entry):
    return entry.startswith(KEY) and entry.endswith("\n")


def check_signature(bundle, keys):
    origin = bundle.manifest["origin"]
    note = Note(bundle.signature)
    if not note.verified([key for key in keys if key[0] == origin and key[2] == ED25519]):
        raise Fault("unknown-key", "no signature is by a known key")
    if len(note.signatures) > 1:
        raise malformed(f"the file has {len(note.signatures)} signatures, not one")
    if note.text != f"{FORM}\n{origin}\n{bundle.digest}\n":
        raise Fault("invalid", "the file was changed after the log had signed it")


# Steps 5 and 6 --------------------------------------------------------------------------------------------------------


def check_completeness(bundle):
    manifest = bundle.manifest
    if manifest["stream"] != f"session-{manifest['tenant']}.{manifest['session']}":
        raise Fault("invalid", "the events are of another session than the manifest names")
    first, last, count = (manifest["events"][name] for name in ("first", "last", "count"))
    revisions = [event["revision"] for event in bundle.events]
    if count == 0 or last - first + 1 != count:
        raise Fault("invalid", f"the manifest counts {count} events from {first} to {last}")
    for at, revision in enumerate(revisions):
        if revision != first + at:
            raise Fault("invalid", f"revision {revision} is in the place of {first + at}")
    if len(revisions) > count:
        raise Fault("invalid", f"the file has {len(revisions)} of {count} events")
    if len(revisions) < count:
        raise Fault("incomplete", f"the file ends after {len(revisions)} of {count} events")
    if bundle.signature is None:
        raise Fault("incomplete", "the file ends before its signature")


CLOCK_TOLERANCE_S = 600  # By which clocks of the service's processes may differ.
TIME = re.compile(r"[1-9][0-9]{3}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}\.[0-9]{3}Z")


def recorded_time(event, otherwise):
    """Seconds since 1970; `otherwise` without a time in the form of the log."""
    text = event["metadata"].get("recordedAt")
    try:
        time = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ") if isinstance(text, str) and TIME.fullmatch(text) else None
    except ValueError:
        time = None
    return time.replace(tzinfo=timezone.utc).timestamp() if time else otherwise


def check_erasure(bundle, faults):
    """Content is missing only where a receipt says that one of its keys was destroyed, and then all of it is."""
    manifest, erased, tenant_erased = bundle.manifest, set(), []
    for receipt in bundle.receipts:
        is_erasure = receipt["type"] == "ErasureCompleted"
        if not is_erasure or receipt["stream"] != f"erasures-{manifest['tenant']}":
            faults.append(Fault("invalid", "a receipt is no ErasureCompleted of the tenant"))
        keys, target = receipt["data"].get("keys"), receipt["data"].get("target")
        if is_erasure and isinstance(keys, list):
            erased.update(key for key in keys if isinstance(key, str))
        if is_erasure and isinstance(target, dict) and target.get("scope") == "tenant":
            tenant_erased.append(recorded_time(receipt, -math.inf))
    contents = [(event, content) for event in bundle.events for content in event["contents"]]
    alive = {key for _, one in contents if one["kind"] == "clear" for key in one["key"].split("~")}
    for event, content in contents:
        is_clear = content["kind"] == "clear"
        found = re.match(r"v1\.([A-Za-z0-9_~-]{1,4096})\.", content["text"])
        keys = content["key"] if is_clear else found and found[1]
        keys = set(keys.split("~")) if keys is not None else set()
        # The receipt for a whole tenant names no keys: newer content, under newer keys, may be there, and must be.
        is_before = tenant_erased and recorded_time(event, math.inf) <= max(tenant_erased) + CLOCK_TOLERANCE_S
        is_gone = bool(keys & erased) or (is_before and bool(keys - alive))
        if is_clear and (is_gone or manifest["content"] == "sealed"):
            faults.append(Fault("invalid", f"event {event['revision']} has content that should be gone"))
        if not is_clear and not is_gone and manifest["content"] == "clear":
            faults.append(Fault("invalid", f"event {event['revision']} lacks its content without a receipt"))


def verify(data, policy_text=None):
    """Returns the outcome and the faults of a file."""
    faults = []
    try:
        policy = Policy(policy_text) if policy_text is not None else None
        bundle = Bundle(data)
    except Fault as fault:
        return fault.outcome, [fault]
    last = check_leaves(bundle, faults)
    main = check_heads(bundle, policy, faults)
    checks = [lambda: check_completeness(bundle)]
    is_cut = bundle.signature is None or len(bundle.events) < bundle.manifest["events"]["count"]
    if main and last and not is_cut:
        checks.append(lambda: check_inclusion(bundle, last, main[1], main[2]))
    for check in checks:
        try:
            check()
        except Fault as fault:
            faults.append(fault)
    if not is_cut:
        check_erasure(bundle, faults)
    outcome = next((one for one in OUTCOMES if any(fault.outcome == one for fault in faults)), "valid")
    return outcome, faults


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(NOTHING_VERIFIED, f"nothing was verified: {message}: --help shows the usage\n")


def main():
    parser = Parser(description="Verifies a proof bundle of Palimpsest.")
    parser.add_argument("file")
    parser.add_argument("--policy", help="logs and witnesses that you trust, in the form of tlog-policy")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    given = parser.parse_args()
    policy = None
    try:
        if given.policy is not None:
            with open(given.policy, encoding="utf-8") as file:
                policy = file.read()
            Policy(policy)
        with open(given.file, "rb") as file:
            content = file.read()
    except (OSError, UnicodeError, Fault) as error:
        print(f"nothing was verified: {error}", file=sys.stderr)
        return NOTHING_VERIFIED
    outcome, faults = verify(content, policy)
    if given.json:
        print(json.dumps({"outcome": outcome, "faults": [str(fault) for fault in faults]}))
    else:
        print(f"{given.file}: {outcome.upper()}")
        for fault in faults:
            print(f"  {fault.outcome}: {fault}")
        print("Checked: leaves, inclusion, consistency, signatures, completeness, erasure. Not checked: replay.")
    return EXIT_CODES[outcome]


if __name__ == "__main__":
    sys.exit(main())
