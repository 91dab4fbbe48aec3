import fc from "fast-check";

/** Text for a request target: printable ASCII with valid and invalid percent-encoding. */
export function urlText() {
  const encoded = fc
    .string({ unit: "binary", maxLength: 12 })
    .map((text) => encodeURIComponent(text.toWellFormed()));
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
