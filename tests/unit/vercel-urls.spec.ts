import { expect, test } from "playwright/test";
import { parseConfig } from "@/lib/platform/config/config";
import { randomText } from "../support/keys";

const SECRETS = { SERVER_SECRET: randomText(40), AGENT_AUTH_SECRET: randomText(40) };
const DEPLOYMENT = {
  VERCEL: "1",
  VERCEL_PROJECT_PRODUCTION_URL: "svc.example",
  VERCEL_BRANCH_URL: "svc-git-branch.vercel.app",
  VERCEL_URL: "svc-abc.vercel.app",
};
const PRODUCTION = { ...DEPLOYMENT, VERCEL_ENV: "production" };
const PREVIEW = { ...DEPLOYMENT, VERCEL_ENV: "preview" };

for (const [title, environment, baseUrl] of [
  ["production uses its domain", PRODUCTION, "https://svc.example"],
  [
    "production uses BASE_URL",
    { ...PRODUCTION, BASE_URL: "https://a.example" },
    "https://a.example",
  ],
  ["a preview uses its branch's host", PREVIEW, "https://svc-git-branch.vercel.app"],
  [
    "a preview without a branch uses its own host",
    { ...PREVIEW, VERCEL_BRANCH_URL: "" },
    "https://svc-abc.vercel.app",
  ],
  [
    "a preview ignores production's BASE_URL",
    { ...PREVIEW, BASE_URL: "https://svc.example" },
    "https://svc-git-branch.vercel.app",
  ],
  [
    "a preview uses a BASE_URL of its own",
    { ...PREVIEW, BASE_URL: "https://staging.example" },
    "https://staging.example",
  ],
  [
    "Vercel's variables are ignored elsewhere",
    { ...PREVIEW, VERCEL: "", BASE_URL: "https://svc.example" },
    "https://svc.example",
  ],
] as const) {
  test(`The base URL: ${title}`, () => {
    expect(parseConfig({ ...SECRETS, ...environment }).baseUrl).toBe(baseUrl);
  });
}
