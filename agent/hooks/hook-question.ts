import type { HookPoint } from "../../protocol/hooks/events.ts";
import type { HookInput, HookOutput } from "./hook-runner.ts";

/** The question to all hooks of a point, one after the other. */
export interface HookQuestion {
  readonly point: HookPoint;
  /** See `HookAnsweredValue`. */
  readonly step: string | null;
  readonly input: HookInput;
  readonly output?: HookOutput;
  /** `pre_acting`: whether an input fits the tool's schema. */
  readonly fitsTool?: (input: unknown) => boolean;
  /** `pre_acting`: the call would be asked about as it is. */
  readonly isAsked?: boolean;
}
