// Skills as a session knows them: which version of each it reads, and what a reply says of them.

/** The tool with which a model reads the files of its skills. */
export const READ_SKILL_TOOL = "read_skill";

/** The file that every skill has: front matter with its name and description, and the instructions. */
export const SKILL_FILE = "SKILL.md";

/** A skill that an agent names; its newest version without `version`. */
export interface SkillReference {
  readonly id: string;
  readonly version?: number | undefined;
}

/** A version of a skill that a reply uses from its beginning to its end. */
export interface PinnedSkill {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly description: string;
}

/** A skill that an agent names and a reply does not have. */
export interface LostSkill {
  readonly id: string;
  /** Null when the session never had it. */
  readonly name: string | null;
  /** `unknown`: it could not be looked up when the reply began. */
  readonly reason: "deleted" | "unknown";
}

/** The skills of an agent at one moment, in its own order. */
export interface PinnedSkills {
  readonly found: readonly PinnedSkill[];
  readonly lost: readonly LostSkill[];
}

export const NO_SKILLS: PinnedSkills = { found: [], lost: [] };

/** The references of an agent's `skills`. */
export function skillReferences(
  skills: readonly (string | SkillReference)[] = [],
): readonly SkillReference[] {
  return skills.map((skill) => (typeof skill === "string" ? { id: skill } : skill));
}

/** The earlier pins that the references still allow, for when pins cannot be read anew. */
export function keepPinnedSkills(
  references: readonly SkillReference[],
  before: PinnedSkills,
): PinnedSkills {
  const found: PinnedSkill[] = [];
  const lost: LostSkill[] = [];
  for (const { id, version } of references) {
    const pinned = before.found.find((one) => one.id === id);
    if (pinned && (version === undefined || version === pinned.version)) found.push(pinned);
    else
      lost.push(
        before.lost.find((one) => one.id === id) ?? {
          id,
          name: nameOfSkill(id, before),
          reason: "unknown",
        },
      );
  }
  return { found, lost };
}

/** The name under which a session has known it; null when it never did. */
export function nameOfSkill(skillId: string, { found, lost }: PinnedSkills): string | null {
  return [...found, ...lost].find(({ id }) => id === skillId)?.name ?? null;
}

/** The member of `REPLY_START.metadata` that says which versions the reply uses; none for an agent without skills. */
export function skillsMetadata({ found }: PinnedSkills): Record<string, unknown> {
  if (found.length === 0) return {};
  return { skills: found.map(({ id, version, name }) => ({ id, version, name })) };
}
