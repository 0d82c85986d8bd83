import type { SkillWriteSchema } from "../../protocol/skills/contract.ts";
import type { Skill, SkillVersion, SkillVersionSummary } from "../../protocol/skills/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { collection, type Collection } from "./collection.ts";

/** Folders of instructions and files, which agents name in `skills` and their models read. */
export interface Skills extends Omit<
  Collection<Skill, InputOf<typeof SkillWriteSchema>>,
  "update"
> {
  /** Writes the next version. With `ifVersion` only behind that one, else refused with `version_mismatch`. */
  addVersion(
    id: string,
    folder: InputOf<typeof SkillWriteSchema>,
    options?: RequestOptions & { readonly ifVersion?: number },
  ): Promise<SkillVersion>;
  /** Newest first, without their lists of files. */
  versions(id: string, query?: ListQuery, options?: RequestOptions): Paged<SkillVersionSummary>;
  version(id: string, version: number, options?: RequestOptions): Promise<SkillVersion>;
  /** The bytes of a file, as a response whose body is not read yet. */
  content(id: string, version: number, path: string, options?: RequestOptions): Promise<Response>;
}

export function skillsOf(transport: Transport): Skills {
  return {
    ...collection<Skill, InputOf<typeof SkillWriteSchema>>(transport, "skills"),
    addVersion: (id, body, options) =>
      transport.call({ ...options, method: "POST", path: ["skills", id, "versions"], body }),
    versions: (id, query, options) => transport.list(["skills", id, "versions"], query, options),
    version: (id, version, options) =>
      transport.get(["skills", id, "versions", `${version}`], options),
    content: async (id, version, file, options) => {
      const path = ["skills", id, "versions", `${version}`, "content"];
      const request = { ...options, method: "GET", path, query: { path: file } } as const;
      return (await transport.open(request)).response;
    },
  };
}
