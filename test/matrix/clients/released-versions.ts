// The versions of others' clients that `npm run test:matrix` runs. docs/ag-ui.md shows this table.
import type { AgUiProfile } from "../../../protocol/ag-ui/ag-ui-profile.ts";

export interface ReleasedVersion {
  /** Its name at the registry. */
  readonly name: string;
  readonly version: string;
  /** In which it is answered. */
  readonly profile: AgUiProfile;
  /** Its name among the packages of this repository. */
  readonly installedAs: string;
}

export const RELEASED_AG_UI_CLIENTS: readonly ReleasedVersion[] = [
  { name: "@ag-ui/client", version: "1.0.0", profile: "1.0", installedAs: "@ag-ui/client" },
  { name: "@ag-ui/client", version: "0.0.59", profile: "0.0", installedAs: "ag-ui-client-0-0-59" },
];
