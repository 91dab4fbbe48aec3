import { expect, test } from "playwright/test";
import { parseTraceparent } from "@/lib/platform/telemetry/trace";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const VALID = `00-${TRACE}-${SPAN}-01`;

test("A valid traceparent is kept, and one of a later version is read as version 00", () => {
  expect(parseTraceparent(VALID)).toBe(VALID);
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)).toBe(`00-${TRACE}-${SPAN}-00`);
  expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes`)).toBe(VALID);
});

test("An invalid traceparent is ignored", () => {
  const invalid = [
    "",
    `ff-${TRACE}-${SPAN}-01`,
    `${VALID}-more`,
    `${VALID}x`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01x`,
    `${VALID}, ${VALID}`,
    `${VALID}\r\nx: y`,
  ];
  for (const header of [null, ...invalid]) {
    expect(parseTraceparent(header), String(header)).toBeUndefined();
  }
});
