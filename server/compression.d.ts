declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";
  import type { BrotliOptions } from "node:zlib";

  /** The types of @types/compression, without Express. */
  function compression(options: {
    brotli?: BrotliOptions;
    filter?: (request: IncomingMessage, response: ServerResponse) => boolean;
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  namespace compression {
    /** Whether the media type can be compressed, the default filter. */
    function filter(request: IncomingMessage, response: ServerResponse): boolean;
  }
  export default compression;
}
