const DEPTH_MAX = 200;

/**
 * The value of a body that is JSON, else null. Whether it is, the content type says; a missing one
 * says nothing, and neither does the form type, which curl sends unless it is told otherwise.
 * Deeper nesting than 200 is null: `JSON.stringify` would overflow on some of what can be parsed.
 */
export function parsedBody(text: string, contentType: string | undefined): unknown {
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (!saysJson(contentType, json) || depth(json) > DEPTH_MAX) return null;
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function saysJson(contentType: string | undefined, text: string): boolean {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type === "text/json" || type.endsWith("+json")) return true;
  return ["", "application/x-www-form-urlencoded"].includes(type) && /^\s*[{[]/.test(text);
}

/** How deep brackets nest, outside of strings. */
function depth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString && character === "\\") index++;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}
