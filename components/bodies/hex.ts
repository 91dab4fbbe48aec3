/** Bytes in lines of eight, which fit a narrow screen: where, in hexadecimal, and as the characters that are printable ASCII. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 8) {
    const line = [...bytes.subarray(start, start + 8)];
    const numbers = line.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = line
      .map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "."))
      .join("");
    lines.push(`${start.toString(16).padStart(6, "0")}  ${numbers.padEnd(23)}  ${text}`);
  }
  return lines.join("\n");
}
