// Hooks: what an agent or a session registers, and what a hook answers.
import * as z from "zod";

import {
  DEFAULT_HOOK_TIMEOUT_MS,
  MAX_HOOK_HINT_CHARACTERS,
  MAX_HOOK_REASON_CHARACTERS,
  MAX_HOOK_TIMEOUT_MS,
  MAX_HOOKS,
} from "./limits.ts";
import { MAX_INPUT_MESSAGES } from "../replies/limits.ts";
import { MAX_MESSAGE_BLOCKS } from "../requests/limits.ts";
import { HOOK_POINTS, MIDDLEWARE_POINTS, type HookPoint } from "./events.ts";
import { CredentialIdSchema } from "../models/contract.ts";
import { ToolChoiceSchema } from "../models/model-options.ts";
import { WarningSchema } from "../warning.ts";
import { HintBlocksSchema, HintSourceSchema } from "../told/told-hint.ts";
import { MediaBlockSchema, TextOrMediaBlockSchema } from "../files/media-blocks.ts";

const HookNameSchema = z.string().regex(/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/, {
  message: "a hook's name is 1 to 64 letters, digits, _ and -, and not __proto__",
});

const shared = {
  /** Unique at its point in the list. A function is found by it. */
  name: HookNameSchema,
  /** Milliseconds until it must have answered. */
  timeout_ms: z.number().int().min(1).max(MAX_HOOK_TIMEOUT_MS).default(DEFAULT_HOOK_TIMEOUT_MS),
  /** Without a valid answer in time: `open` goes on as if there were no hook, `closed` stops. */
  on_failure: z.enum(["open", "closed"]).default("closed"),
};

/** A POST to the tenant's own server. @public */
export const HttpHookSchema = z
  .strictObject({
    type: z.literal("http"),
    point: z.enum(HOOK_POINTS),
    url: z.url({ protocol: /^https?$/ }),
    /** A credential of type `tool` whose secret is `whsec_…`: requests are signed as in Standard Webhooks. */
    signing_credential_id: CredentialIdSchema,
    ...shared,
  })
  .meta({ id: "HttpHook", description: "A hook that is a POST to the tenant's own server." });
export type HttpHook = z.infer<typeof HttpHookSchema>;

/** A function deployed with the platform. @public */
export const CodeHookReferenceSchema = z
  .strictObject({
    type: z.literal("code"),
    point: z.enum([...HOOK_POINTS, ...MIDDLEWARE_POINTS]),
    ...shared,
  })
  .meta({ id: "CodeHook", description: "A hook that is a function deployed with the platform." });

/** @public */
export const HookSchema = z
  .discriminatedUnion("type", [HttpHookSchema, CodeHookReferenceSchema])
  .meta({ id: "Hook" });
export type HookDefinition = z.infer<typeof HookSchema>;

/** In the order in which they run. */
export const HooksSchema = z
  .array(HookSchema)
  .max(MAX_HOOKS)
  .refine(areUnique, { message: "two hooks at one point have the same name" });

function areUnique(hooks: readonly HookDefinition[]): boolean {
  return new Set(hooks.map(({ name, point }) => `${point} ${name}`)).size === hooks.length;
}

export const SessionHooksWriteSchema = z
  .strictObject({
    /** All hooks of the session: one that is left out is removed, an empty list clears them. */
    hooks: HooksSchema,
  })
  .meta({ id: "SessionHooksWrite", description: "All hooks of a session." });

export const HookRemovalQuerySchema = z.strictObject({
  /** Needed where the session has hooks of this name at several points. */
  point: z.enum([...HOOK_POINTS, ...MIDDLEWARE_POINTS]).optional(),
});

export const SessionHooksSchema = z
  .object({
    /** The session's own, which run before the agent's. */
    hooks: z.array(HookSchema),
    /** The hooks of the session's agent, which only a change of the agent changes. */
    agent_hooks: z.array(HookSchema),
    /** Number of changes of the session's own. */
    version: z.number().int().nonnegative(),
  })
  .meta({ id: "SessionHooks", description: "The hooks of a session and of its agent." });
export type SessionHooks = z.infer<typeof SessionHooksSchema>;

/** The answer to a write, or to one that was checked alone. */
export const WrittenSessionHooksSchema = SessionHooksSchema.extend({
  /** Left out when there are none. */
  warnings: z.array(WarningSchema).optional(),
}).meta({
  id: "WrittenSessionHooks",
  description: "The hooks of a session as a write has left them, with those that say nothing.",
});
export type WrittenSessionHooks = SessionHooks &
  Pick<z.infer<typeof WrittenSessionHooksSchema>, "warnings">;

const reason = z.string().max(MAX_HOOK_REASON_CHARACTERS);
const ChangedBlockSchema = z.object({ id: z.string(), text: z.string() });
const noId = { id: z.undefined().optional() };
const NewTextSchema = z.object({ ...noId, type: z.literal("text"), text: z.string().min(1) });
const NewDataSchema = MediaBlockSchema.pick({ type: true, source: true }).extend(noId);
/** Blocks of a message as a hook lists them: one that was shown has its id, and any other is a new one. */
const ListedBlockSchema = z.union([
  ChangedBlockSchema,
  z.object({ id: z.string() }),
  NewTextSchema,
  NewDataSchema,
]);

const HOOK_ACTIONS = ["continue", "block", "stop", "ask"] as const;

/**
 * The answer of a hook; null, an empty body or 204 means that nothing changes. Members of messages, calls and blocks
 * that cannot be changed are ignored, so that what was sent may be sent back.
 */
export const HookAnswerSchema = z
  .strictObject({
    action: z.enum(HOOK_ACTIONS).default("continue"),
    reason: reason.optional(),
    /** A text for the model, from its next call on; or blocks, which count as untrusted content. */
    hint: z
      .union([
        z.string().min(1).max(MAX_HOOK_HINT_CHARACTERS),
        z.strictObject({ source: HintSourceSchema.optional(), blocks: HintBlocksSchema }),
      ])
      .optional(),
    /** Told to readers of the session; those that are not accepted are left out. */
    events: z.unknown().optional(),
    /** The reply's text in place of an answer, or a block's in place of its own. */
    text: z.string().max(MAX_HOOK_HINT_CHARACTERS).optional(),
    input: z
      .strictObject({
        messages: z
          .array(
            z.object({
              id: z.string(),
              content: z.union([
                z.string(),
                z.array(TextOrMediaBlockSchema).max(MAX_MESSAGE_BLOCKS),
              ]),
            }),
          )
          .max(MAX_INPUT_MESSAGES)
          .optional(),
        tool_choice: ToolChoiceSchema.nullable().optional(),
        iteration: z.unknown().optional(),
        request: z.unknown().optional(),
        note: z.unknown().optional(),
        tool_call: z.object({ input: z.record(z.string(), z.json()) }).optional(),
        block: z.object({ text: z.string() }).optional(),
      })
      .optional(),
    output: z
      .strictObject({
        message_id: z.unknown().optional(),
        state: z.unknown().optional(),
        blocks: z.array(ListedBlockSchema).max(MAX_MESSAGE_BLOCKS).optional(),
        /** Ids of blocks that are to go. */
        remove: z.array(z.string()).max(MAX_MESSAGE_BLOCKS).optional(),
        text: z.string().optional(),
      })
      .optional(),
  })
  .nullable();
export type HookAnswer = NonNullable<z.infer<typeof HookAnswerSchema>>;

interface PointRules {
  readonly actions: readonly (typeof HOOK_ACTIONS)[number][];
  readonly takesHint?: true;
  /** The member of `input` or `output` that may be changed. */
  readonly change?:
    | "input.messages"
    | "input.tool_choice"
    | "input.tool_call"
    | "input.block"
    | "output.blocks"
    | "output.text";
}

/** Actions and changes that an answer may have, by point. */
export const HOOK_POINT_RULES: Readonly<Record<HookPoint, PointRules>> = {
  pre_reply: { actions: ["continue", "block", "stop"], takesHint: true, change: "input.messages" },
  post_reply: { actions: ["continue", "stop"], change: "output.blocks" },
  pre_print: { actions: ["continue", "block", "stop"], change: "input.block" },
  post_print: { actions: ["continue"] },
  pre_reasoning: { actions: ["continue", "stop"], takesHint: true, change: "input.tool_choice" },
  pre_model_call: { actions: ["continue", "block", "stop"] },
  post_reasoning: { actions: ["continue", "stop"], takesHint: true, change: "output.blocks" },
  pre_acting: {
    actions: ["continue", "block", "stop", "ask"],
    takesHint: true,
    change: "input.tool_call",
  },
  post_acting: { actions: ["continue", "block", "stop"], takesHint: true, change: "output.text" },
  pre_observe: { actions: ["continue", "block"], change: "input.messages" },
  post_observe: { actions: ["continue"] },
};
