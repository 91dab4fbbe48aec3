import fs from "node:fs";
import type net from "node:net";
import { expect } from "playwright/test";
import { SMTPServer } from "smtp-server";

interface ReceivedMail {
  to: string;
  from: string;
  /** The complete message as received. */
  source: string;
}

/** An SMTP server on loopback that keeps every message, also in a file if one is given. */
export async function startMailbox(file?: string) {
  const mails: ReceivedMail[] = [];
  if (file) fs.writeFileSync(file, "");
  let refusal: number | undefined;
  let held: Promise<boolean> | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(_address, _session, callback) {
      callback(refusal ? notNow(refusal) : undefined);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address).join(","),
          source: Buffer.concat(chunks).toString("utf8"),
        };
        mails.push(mail);
        if (file) fs.appendFileSync(file, `${JSON.stringify(mail)}\n`);
        void Promise.resolve(held).then((isRefused) =>
          callback(isRefused ? notNow(451) : undefined),
        );
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as net.AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    ...lookingInto(() => mails),
    /** Starts or stops refusing every recipient, for now or with this code. */
    refuse(on: boolean | number) {
      refusal = on === true ? 451 : on || undefined;
    },
    /** Keeps senders waiting until the returned function accepts their mails or, on request, refuses them. */
    hold(): (isRefused?: boolean) => void {
      let release: (isRefused: boolean) => void = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return (isRefused = false) => {
        held = undefined;
        release(isRefused);
      };
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function notNow(responseCode: number) {
  return Object.assign(new Error("Not now"), { responseCode });
}

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** The messages of a mailbox that another process has started with this file. */
export function mailboxIn(file: string) {
  return lookingInto(() => {
    const lines = fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
    return lines.map((line): ReceivedMail => JSON.parse(line));
  });
}

function lookingInto(mails: () => ReceivedMail[]) {
  const mailsTo = (address: string) => mails().filter(({ to }) => to === address);
  return {
    mailsTo,
    /** The code in the latest mail to this address, once `count` have arrived. */
    async code(address: string, count = 1) {
      await expect.poll(() => mailsTo(address).length).toBe(count);
      const code = /^\s+(\d{6}|\d{12})\s*$/m.exec(mailsTo(address).at(-1)?.source ?? "")?.[1];
      if (!code) throw new Error("The mail contains no code.");
      return code;
    },
  };
}

/** A different code of the same length. */
export function wrongCode(code: string, offset = 1) {
  return String((Number(code) + offset) % 10 ** code.length).padStart(code.length, "0");
}
