import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { ApiError, isRetryable } from "../../api-error.js";
import { createClient } from "../../client.js";
import { pause } from "../../pause.js";
import { changeConfig, configFile, type Grant, type Stored } from "../config.js";
import { checkedKey, chooseBaseUrl, type GlobalOptions } from "../context.js";
import { CliError } from "../failure.js";
import { listenOnLoopback, openBrowser } from "../loopback.js";
import {
  CLIENT_ID,
  makeProof,
  readMetadata,
  requestTokens,
  revoke,
  type ServerMetadata,
  startDevice,
} from "../oauth.js";
import { createOutput, type Output } from "../output.js";
import { printable } from "../printable.js";

interface LoginOptions extends GlobalOptions {
  browser: boolean;
  device?: boolean;
}

export function addLogin(program: Command): void {
  program
    .command("login")
    .summary("Sign in, in the browser or with a key")
    .description(
      `Sign in to the service of --url in your browser, or store a key. Credentials are kept per
server in ${configFile()}, which only you can read.`.replaceAll("\n", " "),
    )
    .option("--device", "sign in with a code that you type in a browser of any machine")
    .option("--no-browser", "print the address instead of opening the browser")
    .addHelpText(
      "after",
      `
Examples:
  agent-infra login --url https://agents.example.com
  agent-infra login --device                      # over SSH, or in a container
  agent-infra login --key - < key.txt             # from standard input
  agent-infra login --key svc_live_…`,
    )
    .action(async (_options, command: Command) => {
      const options: LoginOptions = command.optsWithGlobals();
      const output = createOutput(options.json === true);
      const baseUrl = await chooseBaseUrl(options);
      const stored: Stored =
        options.key === undefined
          ? { oauth: await signIn(baseUrl, options, output) }
          : { api_key: checkedKey(options.key === "-" ? await text(process.stdin) : options.key) };
      const { me, before } = await store(baseUrl, stored).catch(async (error) => {
        await endSignIn(stored);
        throw error;
      });
      await endSignIn(before);
      const name = printable(me.organization_name ?? me.organization_id ?? "no organization yet");
      output.result({ base_url: baseUrl, ...me }, `Signed in to ${baseUrl} for ${name}.`);
    });
}

/** Checks credentials and keeps them. `before` are those that they replace. */
async function store(baseUrl: string, stored: Stored) {
  const apiKey = stored.api_key ?? stored.oauth?.access_token ?? null;
  const me = await createClient({ baseUrl, apiKey }).me.get();
  const before = await changeConfig((config) => {
    const replaced = config.servers[baseUrl];
    config.servers[baseUrl] = stored;
    config.current = baseUrl;
    return replaced;
  });
  return { me, before };
}

/** Ends a sign-in that nobody can use, since its tokens are kept nowhere. */
async function endSignIn(credentials: Stored | undefined) {
  if (credentials?.oauth) await revoke(credentials.oauth).catch(() => {});
}

export function addLogout(program: Command): void {
  program
    .command("logout")
    .summary("Forget your credentials of a server")
    .description(
      "Forget your credentials of a server. A sign-in ends there too; a key stays valid.",
    )
    .action(async (_options, command: Command) => {
      const options: GlobalOptions = command.optsWithGlobals();
      const output = createOutput(options.json === true);
      const baseUrl = await chooseBaseUrl(options);
      const stored = await changeConfig((config) => {
        const found = config.servers[baseUrl];
        delete config.servers[baseUrl];
        if (config.current === baseUrl) delete config.current;
        return found;
      });
      if (stored?.oauth) {
        await revoke(stored.oauth).catch(({ message }) =>
          output.note(`The service could not be asked to end the sign-in: ${printable(message)}`),
        );
      }
      output.result(
        { object: "logout", base_url: baseUrl, was_signed_in: stored !== undefined },
        stored ? `Signed out of ${baseUrl}.` : `You were not signed in to ${baseUrl}.`,
      );
    });
}

const SIGN_IN_MS_MAX = 10 * 60_000;

const SCOPE = "api.read api.write";

async function signIn(baseUrl: string, { device, browser }: LoginOptions, output: Output) {
  const metadata = await readMetadata(baseUrl);
  return device ? signInWithCode(metadata, output) : signInHere(metadata, browser, output);
}

/** A code that the person types on another machine (RFC 8628). */
async function signInWithCode(metadata: ServerMetadata, output: Output): Promise<Grant> {
  const resource = `${metadata.issuer}/`;
  const device = await startDevice(metadata, { scope: SCOPE, resource });
  output.note(
    `Open ${printable(device.verification_uri)} on any machine and enter ${printable(device.user_code)}\nor open ${printable(device.verification_uri_complete)}`,
  );
  const end = performance.now() + device.expires_in * 1000;
  for (let seconds = device.interval; ; ) {
    await pause(seconds * 1000);
    try {
      return await requestTokens(metadata, {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: device.device_code,
        resource,
      });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "";
      if (code === "access_denied")
        throw new CliError("forbidden", "You are not signed in: the sign-in was refused.");
      if (code === "expired_token" || performance.now() > end) {
        throw new CliError("forbidden", "Nobody entered the code in time.", { cause: error });
      }
      if (code === "slow_down") seconds += 5;
      if (!isRetryable(error) && !WAITING.includes(code)) throw error;
    }
  }
}

/** Answers of the token endpoint after which the program asks again. */
const WAITING = ["authorization_pending", "slow_down"];

/** Authorization code with PKCE, with a redirect to loopback. */
async function signInHere(metadata: ServerMetadata, opensBrowser: boolean, output: Output) {
  const loopback = await listenOnLoopback();
  try {
    const { verifier, challenge } = makeProof();
    const state = randomBytes(16).toString("base64url");
    const resource = `${metadata.issuer}/`;
    const page = new URL(metadata.authorization_endpoint);
    for (const [name, value] of Object.entries({
      response_type: "code",
      client_id: CLIENT_ID,
      redirect_uri: loopback.redirectUri,
      code_challenge: challenge,
      code_challenge_method: "S256",
      scope: SCOPE,
      state,
      resource,
    }))
      page.searchParams.set(name, value);
    output.note(`Sign in at ${page.href}\nOn a machine without a browser, use --device or --key.`);
    if (opensBrowser) openBrowser(page.href);
    const redirect = await loopback
      .redirect(state, AbortSignal.timeout(SIGN_IN_MS_MAX))
      .catch(() => {
        throw new CliError("forbidden", "Nobody signed in within ten minutes.");
      });
    return await requestTokens(metadata, {
      grant_type: "authorization_code",
      code: codeOf(redirect, metadata.issuer),
      redirect_uri: loopback.redirectUri,
      code_verifier: verifier,
      resource,
    });
  } finally {
    loopback.close();
  }
}

/**
 * The code of an authorization response. A response that names another issuer could be a mix-up
 * attack (RFC 9207).
 */
function codeOf(redirect: URLSearchParams, issuer: string): string {
  if (redirect.get("iss") !== issuer) {
    throw new CliError("failure", "The response came from another service.");
  }
  const code = redirect.get("code");
  if (code !== null && !redirect.has("error")) return code;
  const reason = redirect.get("error_description") ?? redirect.get("error") ?? "no code";
  throw new CliError("forbidden", `You are not signed in: ${reason}`);
}
