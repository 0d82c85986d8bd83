// The reason that a call asks and what a person may change, as the metadata of its question says. No zod: clients run
// it.
import { authorizationOf } from "./authorization.ts";
import type { AuthorizationRequired, CallReasons } from "./call-reasons.ts";

export interface AskedBecause {
  /** JSON pointers to what an edit may change; left out where it may change everything. */
  readonly editable?: readonly string[];
  /** Left out where the event does not say it. */
  readonly reasons?: CallReasons;
  /** The sign-in that the call waits for; left out of all others. */
  readonly authorization?: AuthorizationRequired;
}

type Records = Readonly<Record<string, unknown>> | null | undefined;

/** @param metadata Of a `REQUIRE_USER_CONFIRM`. @returns nothing for a call that it says nothing of. */
export function askedBecause(metadata: Records, id: string): AskedBecause {
  const of = (name: string) => {
    const record = metadata?.[name] as Records;
    return record && Object.hasOwn(record, id) ? record[id] : undefined;
  };
  const [editable, reason, rule, untrusted] = [
    of("editable"),
    of("reasons"),
    of("rules"),
    of("untrusted"),
  ];
  const authorization = authorizationOf(metadata, id);
  return {
    ...(authorization && { authorization }),
    ...(Array.isArray(editable) && { editable: editable as readonly string[] }),
    // Events from before reasons were in them.
    ...(reason !== undefined && {
      reasons: {
        reason: typeof reason === "string" ? reason : null,
        rule: (rule ?? null) as CallReasons["rule"],
        untrusted: (Array.isArray(untrusted) ? untrusted : []) as CallReasons["untrusted"],
      },
    }),
  };
}
