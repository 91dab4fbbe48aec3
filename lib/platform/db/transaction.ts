import type pg from "pg";
import { oncePerProcess } from "@/lib/platform/process";
import { Prisma } from "./generated/client";
import { type Client, clientOn } from "./prisma";
import { type Db, send } from "./send";

/** Prisma Clients kept for the next transactions. Each takes tens of megabytes. */
const SEATS_KEPT = 4;

/** Prisma on the connection of one transaction at a time. */
class Seat {
  connection: Db | undefined;
  readonly client = clientOn((statement) => {
    if (!this.connection) throw new Error("The transaction is over.");
    return send(this.connection, statement);
  });
}

/** What `transaction()` hands out. One that uses no model takes no seat. */
export class OpenTransaction implements Db {
  private seat: Seat | undefined;
  private isOver = false;
  private readonly connection: Db;

  constructor(connection: Db) {
    this.connection = connection;
  }

  query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    return this.connection.query(statement);
  }

  /** More seats than are kept exist only while as many transactions use Prisma: waiting could deadlock. */
  get client(): Client {
    if (this.isOver) throw new Error("The transaction is over.");
    this.seat ??= freeSeats().pop() ?? new Seat();
    this.seat.connection = this.connection;
    return this.seat.client;
  }

  end(): void {
    this.isOver = true;
    if (!this.seat) return;
    this.seat.connection = undefined;
    if (freeSeats().length < SEATS_KEPT) freeSeats().push(this.seat);
  }
}

function freeSeats() {
  return oncePerProcess("db.seats", (): Seat[] => []);
}

type Model = Uncapitalize<Prisma.ModelName>;

for (const name of Object.keys(Prisma.ModelName)) {
  const model = `${name.charAt(0).toLowerCase()}${name.slice(1)}` as Model;
  Object.defineProperty(OpenTransaction.prototype, model, {
    get(this: OpenTransaction) {
      return this.client[model];
    },
  });
}

/** A transaction: Prisma's models, and SQL on the same connection. */
export type Transaction = Db & Pick<Client, Model>;
