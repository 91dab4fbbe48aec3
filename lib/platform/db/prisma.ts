import { oncePerProcess } from "@/lib/platform/process";
import { pool } from "./connections";
import type { Prisma } from "./generated/client";
import { assertNoTransaction } from "./open-transactions";
import type { Client, Run } from "./prisma-client";
import { send } from "./send";

/** The models of Prisma Client, by name. */
export type Models = Pick<Client, Uncapitalize<Prisma.ModelName>>;

/** Prisma Client on the pool. Inside a `transaction()`, use the models of its `tx`. */
export const prisma = modelsOf(() =>
  oncePerProcess("db.prisma", () =>
    clientOn((statement) => {
      assertNoTransaction();
      return send(pool(), statement);
    }),
  ),
);

/** A Prisma Client that sends its statements through `run`. Loads Prisma, which takes 16 MB. */
export async function clientOn(run: Run): Promise<Client> {
  const { clientOn } = await import("./prisma-client");
  return clientOn(run);
}

/** The models of a client, which their first call makes. As with Prisma, calls run when awaited. */
export function modelsOf(client: () => Promise<Client>): Models {
  return new Proxy({} as Models, { get: (_, name) => modelOf(name as keyof Models, client) });
}

function modelOf(name: keyof Models, client: () => Promise<Client>) {
  type Method = (args: unknown) => Promise<unknown>;
  const get = (_: object, method: string) => (args: unknown) =>
    whenAwaited(async () => {
      const model: Record<string, Method> = Object((await client())[name]);
      return model[method]?.(args);
    });
  return new Proxy({}, { get });
}

function whenAwaited<Result>(run: () => Promise<Result>): Promise<Result> {
  let running: Promise<Result> | undefined;
  const promise = () => {
    running ??= run();
    return running;
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is a promise.
    then: (fulfilled, rejected) => promise().then(fulfilled, rejected),
    catch: (rejected) => promise().catch(rejected),
    finally: (settled) => promise().finally(settled),
    [Symbol.toStringTag]: "Promise",
  };
}
