// The skills of a session: the versions that a reply uses, and the port through which it reads them.
import type { SkillFile } from "../../protocol/skills/contract.ts";
import type { SkillFolder, SkillLibrary } from "../../agent/skill-library.ts";
import { SKILL_READ_MS } from "../../protocol/skills/limits.ts";
import {
  keepPinnedSkills,
  NO_SKILLS,
  skillReferences,
  type PinnedSkills,
} from "../../protocol/skills/skill.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { openSkill, type OpenedSkill } from "../../storage/skills/skill-reader.ts";
import type { SessionInit } from "../api/session-api.ts";

/** Skills of the agent of these settings. None before the session's first reply has looked them up. */
export function pinnedSkillsOf({
  agent,
  skills,
}: Pick<SessionInit, "agent" | "skills">): PinnedSkills {
  if (!skills || !agent.skills) return NO_SKILLS;
  // The agent may have been changed since they were looked up.
  return keepPinnedSkills(skillReferences(agent.skills), skills);
}

/** For where no call is settled. */
export const UNREAD_SKILLS: SkillLibrary = { open: () => Promise.resolve("unavailable") };

export function skillLibrary(env: Pick<Env, "DB" | "FILES">, tenantId: string): SkillLibrary {
  return {
    async open(skill, stop) {
      if (stop.aborted) return "unavailable";
      try {
        const opened = await withinDeadline(openSkill(env, tenantId, skill), SKILL_READ_MS);
        return opened ? folderOf(opened) : "gone";
      } catch (error) {
        return unavailable(error);
      }
    },
  };
}

function folderOf(opened: OpenedSkill): SkillFolder {
  const { files, body_offset } = opened;
  return {
    files,
    body_offset,
    async read(file, offset, length) {
      try {
        return (
          (await withinDeadline(readText(opened, file, offset, length), SKILL_READ_MS)) ?? "gone"
        );
      } catch (error) {
        return unavailable(error);
      }
    },
  };
}

/** The bytes that complete the last character may be behind the range. */
const CHARACTER_TAIL_BYTES = 3;
const DECODER = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

async function readText(
  opened: OpenedSkill,
  { path, bytes: size }: SkillFile,
  offset: number,
  length: number,
) {
  const file = opened.files.find((one) => one.path === path);
  const readable = Math.max(Math.min(length + CHARACTER_TAIL_BYTES, size - offset), 0);
  const bytes = file ? await opened.read(file, offset, readable) : null;
  if (!bytes) return null;
  const start = skipTail(bytes, 0);
  const end = skipTail(bytes, Math.min(length, bytes.length));
  const text = DECODER.decode(bytes.subarray(start, end));
  return { text, offset: offset + start, end: offset + Math.max(start, end) };
}

/** The first place from `index` on at which a character of UTF-8 begins. */
function skipTail(bytes: Uint8Array, index: number): number {
  let next = index;
  while (next < bytes.length && ((bytes[next] ?? 0) & 0xc0) === 0x80) next += 1;
  return next;
}

function unavailable(error: unknown): "unavailable" {
  console.warn("a skill could not be read", { error: String(error) });
  return "unavailable";
}
