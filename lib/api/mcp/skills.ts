import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import {
  SKILLS_EXTENSION_ID,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
  skillEntry,
} from "@modelcontextprotocol/server/ext/skills";
import * as z from "zod";
import { SKILL_NAME, skillText } from "@/lib/api/skill";
import { config } from "@/lib/platform/config/config";
import { quote } from "@/lib/platform/errors";

const URI = `skill://${SKILL_NAME}/SKILL.md`;

export const skillCapability = { [SKILLS_EXTENSION_ID]: {} };

/** Adds the methods of the extension Skills (SEP-2640): the skill of `/skill.md`. */
export function addSkills(server: Server): void {
  server.setRequestHandler(SKILLS_LIST_METHOD, { params: z.looseObject({}) }, async () => ({
    skills: [await entry()],
  }));
  const params = z.looseObject({ uri: z.string() });
  server.setRequestHandler(SKILLS_GET_METHOD, { params }, async ({ uri }) => {
    if (uri === URI) return { skill: await entry() };
    const message = `There is no skill at ${quote(uri)}, but at ${URI}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  });
}

/** The text of the skill; undefined if the URI is another one. */
export function readSkill(uri: string) {
  if (uri !== URI) return undefined;
  return { contents: [{ uri, mimeType: "text/markdown", text: skillText(config().baseUrl) }] };
}

function entry() {
  return skillEntry(SKILL_NAME, { "SKILL.md": skillText(config().baseUrl) });
}
