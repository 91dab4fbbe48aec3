import http from "node:http";

/** Sends forms as a browser without scripts does, with full control over headers. */

/**
 * Loads the form that has a field with this name, or whose HTML matches; the returned function submits it
 * with more fields.
 */
export async function formOf(baseUrl: string, path: string, cookie: string, name: string | RegExp) {
  const { fields } = await fieldsOf(baseUrl, path, cookie.replace("session=", ""), name);
  return (typed: Record<string, string>) =>
    post(baseUrl, path, { ...fields, ...typed }, { cookie, origin: baseUrl });
}

/** Signs in with a key, and returns the cookie. */
export async function keySession(baseUrl: string, key: string): Promise<string> {
  const enter = await formOf(baseUrl, "/sign-in", "", "key");
  const { headers } = await enter({ key });
  return String(headers["set-cookie"]).split(";", 1)[0] ?? "";
}

/** The hidden fields of the form that has a field with this name, or whose HTML matches. */
export async function fieldsOf(
  baseUrl: string,
  path: string,
  token: string | undefined,
  name: string | RegExp,
) {
  const cookie = token === undefined ? "" : `session=${token}`;
  const { body } = await send(baseUrl, "GET", path, { cookie });
  return { fields: fieldsIn(body, name), cookie };
}

/** The same in the HTML of a page. */
export function fieldsIn(html: string, name: string | RegExp): Record<string, string> {
  const isWanted = (one: string) =>
    typeof name === "string" ? one.includes(`name="${name}"`) : name.test(one);
  const form = html.match(/<form[\s\S]*?<\/form>/g)?.find(isWanted);
  const fields: Record<string, string> = {};
  for (const [input] of form?.matchAll(/<input type="hidden"[^>]*>/g) ?? []) {
    const value = /value="([^"]*)"/.exec(input)?.[1] ?? "";
    fields[/name="([^"]*)"/.exec(input)?.[1] ?? ""] = unescaped(value);
  }
  return fields;
}

const CHARACTERS: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#x27": "'", amp: "&" };

/** The text of an attribute or element. */
export function unescaped(html: string): string {
  return html.replaceAll(/&(lt|gt|quot|#x27|amp);/g, (_, name) => CHARACTERS[name] ?? "");
}

/** The text of a page. */
export function textOf(html: string): string {
  const text = html.replaceAll(/<script[\s\S]*?<\/script>|<[^>]+>/g, " ");
  return unescaped(text).replaceAll(/\s+/g, " ");
}

export function post(
  baseUrl: string,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
) {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const body = `${parts.join("")}--frontier--\r\n`;
  const type = "multipart/form-data; boundary=frontier";
  return send(baseUrl, "POST", path, { ...headers, "content-type": type }, body);
}

function send(
  baseUrl: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  payload?: string,
) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>(
    (resolve, reject) => {
      const host = new URL(baseUrl).host;
      const request = http.request(
        {
          host: "127.0.0.1",
          port: new URL(baseUrl).port,
          method,
          path,
          headers: { host, ...headers },
        },
        (response) => {
          let body = "";
          response.setEncoding("utf8").on("data", (text: string) => {
            body += text;
          });
          response.on("end", () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          );
        },
      );
      request.on("error", reject);
      request.end(payload);
    },
  );
}
