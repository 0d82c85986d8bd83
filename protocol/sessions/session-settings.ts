// Settings of a session that override its agent's.
import * as z from "zod";

import { MAX_RULES } from "../permission/limits.ts";
import {
  MAX_DIRECTORY_CHARACTERS,
  MAX_TIME_ZONE_CHARACTERS,
  MAX_WORKING_DIRECTORIES,
} from "./limits.ts";
import { PermissionModeSchema } from "../messages/permission.ts";
import { RuleInputSchema } from "../permission/contract.ts";

/** The mode replaces the agent's; the rules are added to the agent's. */
export const SessionPermissionSchema = z.strictObject({
  mode: PermissionModeSchema.optional(),
  rules: z.array(RuleInputSchema).max(MAX_RULES).default([]),
});

/** Null restores the agent's mode. Rules are a resource of their own. */
export const SessionPermissionUpdateSchema = z.strictObject({
  mode: PermissionModeSchema.nullable(),
});

/** An absolute path; stored without `.`, `..` and repeated slashes. */
const WorkingDirectorySchema = z
  .string()
  .max(MAX_DIRECTORY_CHARACTERS)
  .regex(/^\/[^\0]*$/, { message: "a working directory is an absolute path, such as /srv/shop" })
  .overwrite(normalizeDirectory);

export const WorkingDirectoriesSchema = z
  .array(WorkingDirectorySchema)
  .max(MAX_WORKING_DIRECTORIES)
  .overwrite((directories) => [...new Set(directories)]);

/** A name of the IANA time zone database; a fixed offset such as +02:00 would be wrong for half of the year. */
export const TimeZoneSchema = z.string().max(MAX_TIME_ZONE_CHARACTERS).refine(isTimeZone, {
  message: "this is no time zone of the IANA database, such as Europe/Berlin",
});

function normalizeDirectory(directory: string): string {
  const segments: string[] = [];
  for (const segment of directory.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}
