// Whether the files of each concept stand in its one room of a folder. A file is of the concept with whose name it begins:
// `plan-hint.ts` and `plans.ts` are of plans, `tool-groups-fold.ts` of tool groups and not of tools. In another concept's
// room the name says what of that concept it is about: `mcp/requests.ts` has requests of MCP.

export interface RoomTable {
  /** From the ground up, as in protocol/concepts.ts. */
  readonly concepts: readonly string[];
  /** Folders whose rooms are cut by concept. */
  readonly folders: readonly string[];
  /** Files and rooms that stand elsewhere, by path, each with its reason. A path ends in `/` for all below it. */
  readonly exceptions: Readonly<Record<string, string>>;
}

export interface RoomReport {
  /** A line for each second room, misplaced file, and exception that is not needed. */
  readonly problems: readonly string[];
  /** Folders that have one or two source files, without those that are a concept's room. */
  readonly smallFolders: readonly string[];
}

/** Names that a file has in whatever room: what it is, and not what it is about. */
const KINDS = /^(?:.+-)?(?:routes|table)$|^(?:events|limits)$/;

/** @param paths Source files, from the root of the repository. */
export function findRoomProblems(paths: readonly string[], table: RoomTable): RoomReport {
  const used = new Set<string>();
  const isExcepted = (path: string) => {
    const found = Object.keys(table.exceptions).filter((exception) =>
      exception.endsWith("/") ? path.startsWith(exception) : path === exception,
    );
    for (const exception of found) used.add(exception);
    return found.length > 0;
  };
  const problems = table.folders.flatMap((folder) => {
    const own = paths.filter((path) => path.startsWith(`${folder}/`));
    return table.concepts.flatMap((concept) => {
      const rooms = roomsOf(concept, folder, own).filter((room) => !isExcepted(`${room}/`));
      const [room] = rooms;
      if (room === undefined) return [];
      if (rooms.length > 1) return [`${concept} has ${rooms.length} rooms: ${rooms.join(", ")}`];
      return own
        .filter((path) => !isInRoom(path, folder, table.concepts))
        .filter((path) => conceptOf(path, table.concepts) === concept && !isExcepted(path))
        .map((path) => `${path} is of ${concept}, whose room is ${room}/`);
    });
  });
  const unused = Object.keys(table.exceptions).filter((exception) => !used.has(exception));
  return {
    problems: [...problems, ...unused.map((path) => `${path} is no exception any more`)],
    smallFolders: findSmallFolders(paths, table.concepts),
  };
}

function roomsOf(concept: string, folder: string, paths: readonly string[]): readonly string[] {
  const rooms = paths.flatMap((path) => {
    const parts = path.split("/");
    const at = parts.indexOf(concept, folder.split("/").length);
    return at === -1 || at === parts.length - 1 ? [] : [parts.slice(0, at + 1).join("/")];
  });
  return [...new Set(rooms)];
}

function isInRoom(path: string, folder: string, concepts: readonly string[]): boolean {
  const rooms = path.split("/").slice(folder.split("/").length, -1);
  return rooms.some((room) => concepts.includes(room));
}

/** The concept with the longest name that begins the file's; null for a name of its own, or of a kind. */
function conceptOf(path: string, concepts: readonly string[]): string | null {
  const name = (path.split("/").at(-1) ?? "").replace(/(?:\.test)?\.tsx?$/, "");
  if (KINDS.test(name)) return null;
  const beginsWith = (word: string) => name === word || name.startsWith(`${word}-`);
  const named = concepts.filter((concept) => beginsWith(concept) || beginsWith(singular(concept)));
  return named.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

function singular(concept: string): string {
  return concept.replace(/ies$/, "y").replace(/s$/, "");
}

function findSmallFolders(
  paths: readonly string[],
  concepts: readonly string[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.split("/").slice(0, -1).join("/");
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count <= 2 && !concepts.includes(folder.split("/").at(-1) ?? ""))
    .map(([folder]) => folder);
}
