import type { PinnedSkill } from "../protocol/skills/skill.ts";
import type { SkillFile } from "../protocol/skills/contract.ts";
import type { StopSignal } from "./ports.ts";

/** Whole characters of a file, and where they are in it, in bytes. */
export interface SkillExcerpt {
  readonly text: string;
  readonly offset: number;
  readonly end: number;
}

/** `gone`: the skill was deleted. `unavailable`: it cannot be read at the moment. */
export type SkillFailure = "gone" | "unavailable";

/** A version's folder. */
export interface SkillFolder {
  /** SKILL.md first. */
  readonly files: readonly SkillFile[];
  /** Bytes before the instructions in SKILL.md. */
  readonly body_offset: number;
  /** The characters that begin in a range of a text file, in bytes. Contract as {@link SkillLibrary.open}. */
  read(file: SkillFile, offset: number, length: number): Promise<SkillExcerpt | SkillFailure>;
}

/** The port through which an ability reads the skills of a tenant. */
export interface SkillLibrary {
  /** Contract: never rejects, never takes long, and ends soon after `stop`. */
  open(skill: PinnedSkill, stop: StopSignal): Promise<SkillFolder | SkillFailure>;
}
