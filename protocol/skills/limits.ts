// Limits of skills. Each with its unit and its reason.

/** Skills of one agent: the model reads the name and description of each with every request. */
export const MAX_AGENT_SKILLS = 32;
/** Characters of a skill's name: the Agent Skills format's. */
export const MAX_SKILL_NAME_CHARACTERS = 64;
/** Characters of a skill's description: the Agent Skills format's. */
export const MAX_SKILL_DESCRIPTION_CHARACTERS = 1_024;
/** Files of one version: its list is one value in D1, and a model reads it. */
export const MAX_SKILL_FILES = 200;
/** Bytes of one file: a model reads some kilobytes of it at a time. */
export const MAX_SKILL_FILE_BYTES = 1_000_000;
/** Bytes of all files of a version: as base64 they fit into the body of one request. */
export const MAX_SKILL_BYTES = 5_000_000;
/** Bytes of SKILL.md: as many as a system prompt has characters. */
export const MAX_SKILL_TEXT_BYTES = 200_000;
/** Characters of the front matter of SKILL.md: name, description and a few lines beside them. */
export const MAX_FRONT_MATTER_CHARACTERS = 16_384;
/** Characters of a file's path. */
export const MAX_SKILL_PATH_CHARACTERS = 200;
/** Bytes of one name in a file's path, in UTF-8: as many as file systems take. */
export const MAX_SKILL_FILE_NAME_BYTES = 255;
/** Names in a file's path, its own included. */
export const MAX_SKILL_PATH_DEPTH = 8;
/** Versions of one skill: its deletion takes all their files in one step. */
export const MAX_SKILL_VERSIONS = 500;
/** Bytes of a file that one call of `read_skill` returns: fewer than a tool result is cut at in most windows. */
export const READ_SKILL_BYTES = 16_000;
/** Characters of the list of files that follows a skill's instructions; a model asks for the rest by folder. */
export const SKILL_LIST_CHARACTERS = 8_000;
/** Milliseconds that the start of a reply waits to hear the newest versions; then it keeps those that it knows. */
export const SKILL_LOOKUP_MS = 2_000;
/** Milliseconds that one call of `read_skill` may take to read from D1 and R2. */
export const SKILL_READ_MS = 10_000;
/** Tries to write a version when others come first. */
export const SKILL_WRITE_TRIES = 4;
