// The moderator of a room: an agent whose structured output names the one who speaks next.
import type { Msg } from "../../protocol/messages/messages.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";

/** The output of a moderator's reply: `{next}` with the name of somebody who has turns, or null for the end. */
export function moderatorSchema(speakers: readonly string[]): JsonSchema {
  return {
    type: "object",
    properties: {
      next: {
        description:
          "The name of the participant who speaks next; null when the discussion has come to its end.",
        type: ["string", "null"],
        enum: [...speakers, null],
      },
    },
    required: ["next"],
    additionalProperties: false,
  };
}

/** The next speaker in a moderator's reply, or null for the end; undefined where no participant with turns is named. */
export function readNext(
  { structured_output }: Msg,
  speakers: readonly string[],
): string | null | undefined {
  const next = structured_output?.["next"];
  if (next === null) return null;
  return typeof next === "string" && speakers.includes(next) ? next : undefined;
}
