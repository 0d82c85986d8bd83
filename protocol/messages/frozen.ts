// Types of answers, inferred from their schemas.
import type { ContentBlock } from "./blocks.ts";
import type { Msg } from "./messages.ts";

/**
 * An answer as its readers get it: members and lists are read-only, down to messages and their blocks, which have the
 * types that the fold gives them.
 */
export type Frozen<Value> = Value extends object
  ? Value extends Msg | ContentBlock
    ? Value
    : { readonly [Name in keyof Value]: Frozen<Value[Name]> }
  : Value;
