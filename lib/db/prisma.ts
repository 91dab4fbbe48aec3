import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "@/lib/db/generated/client";
import { oncePerProcess } from "@/lib/process";
import { pool } from "./sql";

/**
 * Prisma's client, on the same connections as `query`. For reads and writes that no caller waits on
 * in numbers (organizations, keys, members); what a request runs is SQL, at a third of the CPU.
 */
export function prisma(): PrismaClient {
  return oncePerProcess("db.prisma", () => new PrismaClient({ adapter: new PrismaPg(pool()) }));
}
