// The cases that were observed on the reference: the shared ones when they lie beside the project, else our copy.
import { existsSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);
const FOLDERS = [
  new URL("../shared/conformance/", ROOT),
  new URL("test/fixtures/conformance/", ROOT),
];

/** The text of one conformance file. */
export function readConformanceFile(name: "append_event.json" | "permission_matrix.csv"): string {
  const file = FOLDERS.map((folder) => new URL(name, folder)).find((url) => existsSync(url));
  if (!file) throw new Error(`there is no conformance file ${name}`);
  return readFileSync(file, "utf8");
}
