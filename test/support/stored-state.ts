// A state folder of `npm start` as a platform has left it, kept among the fixtures with its databases compressed.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const FIXTURES = fileURLToPath(new URL("../fixtures/", import.meta.url));
const OBJECTS = "v3/do/reprise-SessionObject";

/** A copy that may be started and changed. @param name Of the folder among the fixtures. */
export function copyState(name: string): string {
  const from = join(FIXTURES, name);
  const to = realpathSync(mkdtempSync(join(tmpdir(), "reprise-stored-")));
  for (const path of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    const target = join(to, path);
    mkdirSync(dirname(target), { recursive: true });
    if (path.endsWith(".gz")) {
      writeFileSync(target.slice(0, -".gz".length), gunzipSync(readFileSync(join(from, path))));
    } else if (path.endsWith(".json")) copyFileSync(join(from, path), target);
  }
  return to;
}

/** Changes what the object of a session holds. */
export function changeSession(stateFolder: string, sessionId: string, statement: string): void {
  for (const path of readdirSync(join(stateFolder, OBJECTS))) {
    if (!/^[0-9a-f]{64}\.sqlite$/.test(path)) continue;
    const database = new DatabaseSync(join(stateFolder, OBJECTS, path));
    const [row] = database.prepare("SELECT init FROM session").all();
    const init = JSON.parse(String(row?.["init"])) as { session_id: string };
    if (init.session_id === sessionId) database.exec(statement);
    database.close();
  }
}
