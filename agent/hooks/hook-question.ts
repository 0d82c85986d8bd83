import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { HookPoint } from "../../protocol/hooks/events.ts";
import type { HookInput, HookOutput } from "./hook-runner.ts";

/** The question to all hooks of a point, one after the other. */
export interface HookQuestion {
  readonly point: HookPoint;
  /** See `HookAnsweredValue`. */
  readonly step: string | null;
  readonly input: HookInput;
  readonly output?: HookOutput;
  /** `post_reasoning`, `post_reply`: the blocks as the log has them now, with the changes of hooks before. */
  readonly blocks?: () => readonly ContentBlock[];
  /** `pre_acting`: whether an input fits the tool's schema. */
  readonly fitsTool?: (input: unknown) => boolean;
  /** `pre_acting`: the call would be asked about as it is. */
  readonly isAsked?: boolean;
}
