// The released clients of AG-UI that the suites of this folder run, each over the checks C1 to C20. docs/ag-ui.md shows
// the versions.
import * as newest from "@ag-ui/client";
import { EventSchemas as newestSchemas } from "@ag-ui/core/schemas";
import * as old from "ag-ui-client-0-0-59";
import { EventSchemas as oldSchemas } from "ag-ui-core-0-0-59";
import { inject } from "vitest";

import type { AgUiProfile } from "../../../protocol/ag-ui/ag-ui-profile.ts";
import type { ReleasedVersion } from "./released-versions.ts";

export interface ReleasedClient extends ReleasedVersion {
  readonly HttpAgent: typeof newest.HttpAgent;
  readonly buildResumeArray: typeof newest.buildResumeArray;
  readonly compactEvents: typeof newest.compactEvents;
  /** The client's reading of an event. @throws where it refuses it. */
  readonly parse: (event: object) => unknown;
  /** The members by which a run tells its version. */
  readonly sent: { readonly protocolVersion?: string };
}

declare module "vitest" {
  interface ProvidedContext {
    /** The version of `@ag-ui/client` that this project runs. */
    readonly agUiClient: ReleasedVersion;
  }
}

/** The old client's types differ in what it lacks; the suites use what both have. */
const OLD = old as unknown as typeof newest;

const PARTS: Readonly<Record<AgUiProfile, Omit<ReleasedClient, keyof ReleasedVersion>>> = {
  "1.0": {
    ...partsOf(newest),
    parse: (event) => newestSchemas.parse(event),
    sent: { protocolVersion: "1.0" },
  },
  "0.0": {
    ...partsOf(OLD),
    parse(event) {
      const parsed = oldSchemas.parse(event) as Record<string, unknown>;
      // The parser writes down a default of activities.
      const { replace, ...rest } = parsed;
      return parsed["type"] === "ACTIVITY_SNAPSHOT" && replace === true ? rest : parsed;
    },
    sent: {},
  },
};

function partsOf({ HttpAgent, buildResumeArray, compactEvents }: typeof newest) {
  return { HttpAgent, buildResumeArray, compactEvents };
}

/** The client that this project of vitest runs. */
export function releasedClient(): ReleasedClient {
  const version = inject("agUiClient");
  return { ...version, ...PARTS[version.profile] };
}

/** The outcome of a run that waits for these calls of its page. */
export function owing(...ids: readonly unknown[]): object {
  const isNamed = inject("agUiClient").profile === "1.0";
  return { type: "success", ...(isNamed && { pendingToolCallIds: ids }) };
}
