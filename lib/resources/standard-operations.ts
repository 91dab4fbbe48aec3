import type * as z from "zod";
import type { Caller, KeyCheck } from "@/lib/platform/caller";
import type { Transaction } from "@/lib/platform/db/sql";
import type { ErrorCode } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { BODY_BYTES_MAX, type Operation, operation } from "@/lib/platform/http/operation";
import { listOf } from "@/lib/platform/lists/list";
import type { Insertion } from "./insertion";
import type { Kind } from "./kinds";
import { upsertOperation } from "./upsert";

/** What the documents say of one operation, if it differs from the other kinds. */
interface Words {
  summary?: string;
  description?: string;
  errors?: readonly ErrorCode[];
  failures?: readonly number[];
}

interface Created {
  id: string;
}

interface Definition<
  Query extends z.ZodObject,
  CreateQuery extends z.ZodObject,
  Create extends z.ZodObject,
  Update extends z.ZodObject,
  Prefetched,
> {
  kind: Kind;
  /** The end of the operations' IDs, such as `Task`. */
  id: string;
  /** One resource and several, as in "a task" and "tasks". */
  nouns: readonly [one: string, many: string];
  schemas: {
    resource: z.ZodType;
    created: z.ZodType;
    /** An item of the list. Defaults to the resource. */
    listed?: z.ZodType;
    /** The result of an upsert. Defaults to the resource. */
    upserted?: z.ZodType;
    query: Query;
    create: Create;
    update: Update;
  };
  /** The maximum size of the body of a create or update. */
  bodyBytesMax?: number;
  /** Members that the caller of a create or update has: see `Operation`. */
  minimal?: readonly string[];
  service: {
    list: (caller: Caller, query: z.output<Query>) => Promise<unknown>;
    creation: (
      caller: Caller,
      input: z.output<Create>,
      db?: Transaction,
    ) => Insertion<Created> | Promise<Insertion<Created>>;
    get: (caller: Caller, id: string, prefetched?: Promise<Prefetched>) => Promise<unknown>;
    update: (
      caller: Caller,
      id: string,
      changes: z.output<Update> | z.output<Create>,
      precondition?: Precondition,
    ) => Promise<Created>;
    remove: (caller: Caller, id: string, precondition?: Precondition) => Promise<void>;
    /** Starts the read of `get` while the key is being checked. */
    prefetch?: (id: string, check?: KeyCheck) => Promise<Prefetched>;
  };
  list?: Words & {
    /** See `operation`. */
    searches?(query: z.output<Query>): boolean;
  };
  create?: Words & {
    query?: CreateQuery;
    /** See `Operation`. */
    restored?(recorded: object): object;
    /** Instead of the service's `creation`. */
    creation?(
      caller: Caller,
      input: z.output<Create>,
      query: z.output<CreateQuery>,
    ): Insertion<Created>;
  };
  update?: Words;
  remove?: Words;
}

/** Declares the operations that every kind of resource has, in the order of the documents. */
export function standardOperations<
  Query extends z.ZodObject,
  Create extends z.ZodObject,
  Update extends z.ZodObject,
  Prefetched,
  CreateQuery extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(definition: Definition<Query, CreateQuery, Create, Update, Prefetched>) {
  const { kind, id, nouns, schemas, service, bodyBytesMax = BODY_BYTES_MAX, minimal } = definition;
  const { query: createQuery, creation, ...create } = definition.create ?? {};
  const [one, many] = nouns;
  const collection = `/api/${kind.name}` as const;
  const single = `${collection}/{id}` as const;
  return {
    list: operation(`GET ${collection}`, {
      id: `list${kind.title}`,
      summary: `List ${many}`,
      query: schemas.query,
      success: { status: 200, schema: listOf(schemas.listed ?? schemas.resource) },
      handle: ({ caller, query }) => service.list(caller, query),
      ...definition.list,
    }),
    create: operation(`POST ${collection}`, {
      id: `create${id}`,
      summary: `Create ${one}`,
      ...(createQuery && { query: createQuery }),
      body: schemas.create,
      bodyBytesMax,
      success: { status: 201, schema: schemas.created },
      minimal,
      handle: ({ caller, query, body }) =>
        creation ? creation(caller, body, query) : service.creation(caller, body),
      ...create,
    }),
    get: operation(`GET ${single}`, {
      id: `get${id}`,
      summary: `Get ${one}`,
      success: { status: 200, schema: schemas.resource },
      conditional: true,
      ...(service.prefetch && { prefetch: service.prefetch }),
      handle: ({ caller, params, prefetched }) => service.get(caller, params.id, prefetched),
    }),
    update: operation(`PATCH ${single}`, {
      id: `update${id}`,
      summary: `Update ${one}`,
      takesClaimToken: true,
      body: schemas.update,
      bodyBytesMax,
      success: { status: 200, schema: schemas.resource },
      minimal,
      handle: ({ caller, params, body, precondition }) =>
        service.update(caller, params.id, body, precondition),
      ...definition.update,
    }),
    upsert: upsertOperation({
      id: `upsert${id}`,
      kind,
      body: schemas.create,
      bodyBytesMax,
      schema: schemas.upserted ?? schemas.resource,
      minimal,
      errors: [...(create.errors ?? []), ...(definition.update?.errors ?? [])],
      create: async (caller, input, db) => (await service.creation(caller, input, db)).store(db),
      update: service.update,
    }),
    remove: operation(`DELETE ${single}`, {
      id: `delete${id}`,
      summary: `Delete ${one}`,
      success: { status: 204 },
      handle: ({ caller, params, precondition }) => service.remove(caller, params.id, precondition),
      ...definition.remove,
    }),
  } satisfies Record<string, Operation>;
}
