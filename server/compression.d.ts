declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";
  import type { BrotliOptions } from "node:zlib";

  /** The types of @types/compression, without Express. */
  export default function compression(options: {
    brotli?: BrotliOptions;
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}
