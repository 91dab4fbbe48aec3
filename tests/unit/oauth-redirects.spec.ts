import { expect, test } from "playwright/test";
import {
  isRegistered,
  redirectUriProblem,
  withParameters,
} from "@/lib/identity/oauth/redirect-uri";

/** Redirect URIs: which may be registered, and which are equal. */

const REGISTERED = [
  "http://127.0.0.1/callback",
  "https://client.example/callback",
  "com.example.app:/callback",
];

for (const uri of [
  "https://evil.example/callback",
  "https://client.example/callback/",
  "https://client.example/callback/../evil",
  "https://client.example/callback/extra",
  "https://client.example/callback?next=https://evil.example",
  "https://client.example/callback#fragment",
  "https://client.example/callback#",
  "https://client.example/%63allback",
  "https://client.example//callback",
  "https://client.example./callback",
  "https://client.example:443/callback",
  "https://client.example:8443/callback",
  "https://client.example@evil.example/callback",
  "https://user@client.example/callback",
  "https://client.example.evil.example/callback",
  "https://evil.example\\@client.example/callback",
  "https://client.example\\.evil.example/callback",
  "https:///client.example/callback",
  "//client.example/callback",
  "HTTPS://client.example/callback",
  "https://CLIENT.example/callback",
  "http://client.example/callback",
  "https://client.example/callback\n",
  " https://client.example/callback",
  "https://client.example/callback\u0000",
  "https://clıent.example/callback",
  "com.example.app:/callback/evil",
  "com.example.app://evil.example/callback",
  "COM.example.app:/callback",
  "javascript:alert(1)//client.example/callback",
  "http://127.0.0.1:1@evil.example/callback",
  "http://127.0.0.1.evil.example/callback",
  "http://127.0.0.1:99999/callback",
  "http://127.0.0.1:/callback",
  "http://127.1/callback",
  "http://2130706433/callback",
  "http://localhost/callback",
  "http://[::1]/callback",
  "http://127.0.0.1/callback/",
  "http://127.0.0.1:5000/other",
  "https://127.0.0.1/callback",
]) {
  test(`${JSON.stringify(uri)} is not a registered redirect URI`, () => {
    expect(isRegistered(uri, REGISTERED)).toBe(false);
    // Nor when the attacker's client registers something else beside it.
    expect(isRegistered(uri, [...REGISTERED, "https://evil.example/"])).toBe(false);
  });
}

test("A registered redirect URI matches itself, and on loopback with any port", () => {
  for (const uri of [
    ...REGISTERED,
    "http://127.0.0.1:1/callback",
    "http://127.0.0.1:65535/callback",
  ]) {
    expect(isRegistered(uri, REGISTERED), uri).toBe(true);
  }
});

test("https, loopback http and private schemes may be registered", () => {
  for (const uri of [
    "https://client.example",
    "https://client.example/",
    "https://client.example:8443/cb?x=1",
    "http://localhost",
    "http://localhost:3000/cb",
    "http://[::1]:3000/",
    "com.example.app:/cb",
    "com.example.app://host/cb",
    "antigravity://saoudrizwan.claude-dev/mcp-auth/callback",
    "claude://claude.ai/mcp-auth-callback/sdk",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "kiro://saoudrizwan.claude-dev/mcp-auth/callback",
    "vscode://vscode.github-authentication/did-authenticate",
    "vscodium://saoudrizwan.claude-dev/mcp-auth/callback",
    "warp://mcp/oauth2callback",
  ]) {
    expect(redirectUriProblem(uri), uri).toBeUndefined();
  }
});

for (const uri of [
  "",
  "callback",
  "/callback",
  "//client.example/callback",
  "https://",
  "https:///client.example",
  "https:client.example/cb",
  "https://client.example/cb#",
  "https://client.example/cb#x",
  "https://user:pass@client.example/cb",
  "https://@client.example/cb",
  "https://client.example\\@evil.example/cb",
  "https://client.example/a b",
  "https://client.example/é",
  "https://clıent.example/cb",
  "https://cl%69ent.example/cb",
  "https://client.example/\u0000",
  "http://client.example/cb",
  "http://127.0.0.2/cb",
  "http://127.1/cb",
  "http://0.0.0.0/cb",
  "http://localhost.evil.example/cb",
  "http://localhost@evil.example/cb",
  "http://evil.example/localhost",
  "http://[::ffff:127.0.0.1]/cb",
  "javascript:alert(1)",
  "JAVASCRIPT:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://client.example/x",
  "ftp://client.example/",
  "mailto:x@client.example",
  "intent://x",
  "about:blank",
  "app:/cb",
  `https://client.example/${"x".repeat(1000)}`,
]) {
  test(`${JSON.stringify(uri.slice(0, 60))} may not be registered`, () => {
    expect(redirectUriProblem(uri)).toEqual(expect.any(String));
  });
}

test("Response parameters are added to the query that a redirect URI has", () => {
  expect(withParameters("https://c.example/cb?a=1", { code: "x&y", state: undefined })).toBe(
    "https://c.example/cb?a=1&code=x%26y",
  );
  expect(withParameters("com.example.app:/cb", { code: "x" })).toBe("com.example.app:/cb?code=x");
});
