import path from "node:path";

/** npm without a registry, without a cache of others, and without remarks. */
export function npmWithoutRegistry(folder: string): Record<string, string> {
  return {
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_cache: path.join(folder, "npm-cache"),
    npm_config_userconfig: path.join(folder, "npmrc"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
}
