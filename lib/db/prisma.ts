import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/lib/db/generated/client";
import { oncePerProcess } from "@/lib/process";
import { pool } from "./sql";

/**
 * Prisma's client, on the same connections as `query`. For reads and writes that no caller waits on
 * in numbers (organizations, keys, members); what a request runs is SQL, at a third of the CPU.
 */
export function prisma(): PrismaClient {
  // By its default a start gives up when a busy machine does not connect within 2 seconds.
  const transactionOptions = { maxWait: 30_000, timeout: 30_000 };
  return oncePerProcess(
    "db.prisma",
    () => new PrismaClient({ adapter: new PrismaPg(pool()), transactionOptions }),
  );
}
