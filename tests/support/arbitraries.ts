import fc, { type StringConstraints } from "fast-check";

/**
 * Text of any characters but halves of a surrogate pair, as fast-check's `unit: "binary"` makes it,
 * whose table of characters takes each process a second.
 */
export function anyText(constraints: StringConstraints = {}) {
  const unit = fc
    .oneof(
      { arbitrary: fc.integer({ min: 0, max: 0xd7ff }), weight: 1 },
      { arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }), weight: 1 },
    )
    .map((code) => String.fromCodePoint(code));
  return fc.string({ ...constraints, unit });
}

/** Text for a request target: printable ASCII with valid and invalid percent-encoding. */
export function urlText() {
  const encoded = anyText({ maxLength: 12 }).map(encodeURIComponent);
  const bytes = fc
    .array(fc.nat(255), { maxLength: 8 })
    .map((array) => array.map((n) => `%${n.toString(16).padStart(2, "0")}`).join(""));
  const ascii = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((n) => String.fromCharCode(n)),
    maxLength: 12,
  });
  return fc.oneof(
    encoded,
    bytes,
    ascii.map((text) => text.replaceAll("#", "%")),
  );
}
