// Objects of a runtime that are in memory.
import { readdirSync, readlinkSync } from "node:fs";

const DATABASE = /\/platform-SessionObject\/[0-9a-f]+\.sqlite$/;

/**
 * The number of sessions' objects that the process has in memory, by the databases that it holds open: an object that is put away has
 * none. Linux only.
 */
export function countOpenObjects(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const databases = readdirSync(folder).flatMap((name) => {
    try {
      const path = readlinkSync(`${folder}/${name}`);
      return DATABASE.test(path) ? [path] : [];
    } catch {
      // The file was closed meanwhile.
      return [];
    }
  });
  return new Set(databases).size;
}
