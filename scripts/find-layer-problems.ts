// Whether imports go the way that `layers.ts` says.
import { dirname, join } from "node:path/posix";

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

export interface LayerTables {
  readonly folders: Readonly<Record<string, readonly string[]>>;
  readonly rooms: Readonly<Record<string, readonly string[]>>;
}

/**
 * A line for each import against the directions, and each room without a layer.
 * @param sources The text of each production file by its path from the root of the repository.
 */
export function findLayerProblems(
  sources: ReadonlyMap<string, string>,
  { folders, rooms }: LayerTables,
): readonly string[] {
  const problems: string[] = [];
  for (const [path, source] of sources) {
    for (const [, specifier = ""] of source.matchAll(IMPORT)) {
      const target = join(dirname(path), specifier);
      const problem = problemOfImport(path.split("/"), target.split("/"), { folders, rooms });
      if (problem) problems.push(`${path} imports ${target}: ${problem}`);
    }
  }
  return problems;
}

function problemOfImport(
  from: readonly string[],
  to: readonly string[],
  { folders, rooms }: LayerTables,
): string | null {
  const depth = from.findIndex((part, index) => part !== to[index]);
  const importer = from[depth];
  const imported = to[depth];
  if (importer === undefined || imported === undefined) return null;
  if (depth === 0) {
    if (folders[importer]?.includes(imported)) return null;
    return `${importer}/ may import ${folders[importer]?.join(", ") || "no other folder"}`;
  }
  const areFiles = from.length === depth + 1 && to.length === depth + 1;
  const folder = from.slice(0, depth).join("/");
  const layers = rooms[folder];
  if (!layers)
    return areFiles ? null : `${folder}/ has rooms; give them layers in scripts/layers.ts`;
  const upper = layerOf(from.slice(depth), layers);
  const lower = layerOf(to.slice(depth), layers);
  if (upper === -1 || lower === -1) {
    return `${folder}/${upper === -1 ? importer : imported} has no layer in scripts/layers.ts`;
  }
  if (lower < upper || (areFiles && lower === upper)) return null;
  return `in ${folder}/, ${importer} is not above ${imported}`;
}

/** The layer of a path below the folder: that of files of its name in any room, of its room, of other rooms or of other files. */
function layerOf([room = "", file]: readonly string[], layers: readonly string[]): number {
  const ofName = layers.findIndex((layer) => layer.split(" ").some((name) => isNamed(name, file)));
  if (ofName !== -1) return ofName;
  const named = layers.findIndex((layer) => layer.split(" ").includes(room));
  if (named !== -1) return named;
  return layers.indexOf(/\.tsx?$/.test(room) ? "*" : "*/");
}

/** Whether a layer's name for files in any room, such as `limits.ts` or all that end in `-ability.ts`, is that of the file. */
function isNamed(name: string, file: string | undefined): boolean {
  if (file === undefined || !name.startsWith("*/")) return false;
  return name.startsWith("*/*") ? file.endsWith(name.slice(3)) : file === name.slice(2);
}
