// Files in the tenancy suite.
import type { FILE_ROUTES } from "../../protocol/files/routes.ts";
import type { Place, Row } from "./row.ts";

const session: Place = {
  where: "query session_id",
  id: ({ ids }) => ids.session_id,
  query: (id) => `session_id=${id}`,
  refused: 404,
};
/** Before everything that any tenant has. */
const newest: Place = {
  where: "query page",
  id: () => btoa(`fil_${"z".repeat(26)}`).replaceAll("=", ""),
  query: (page) => `page=${page}`,
  refused: 200,
};

export const FILE_ROWS = {
  /** The body is the JSON's text: any bytes are a file. */
  uploadFile: {
    answers: 201,
    body: ({ word }) => ({ word }),
    query: ({ word }) => `filename=${word}`,
    places: [session],
  },
  listFiles: { answers: 200, places: [{ ...session, refused: 200, unlike: [404] }, newest] },
  readFile: { answers: 200 },
  readFileContent: { answers: 200 },
  deleteFile: { answers: 204, isSilent: true },
  createFileLink: { answers: 201, isSilent: true, body: () => ({}) },
  /** A signed address needs no key. */
  readFileLink: { answers: 200 },
} as const satisfies Record<(typeof FILE_ROUTES)[number]["name"], Row>;
