// Skills, their versions, and the content of their files.
import type { Route } from "../requests/route.ts";

export const SKILL_ROUTES = [
  {
    name: "createSkill",
    method: "POST",
    path: "/v1/skills",
    access: "agents:write",
    keeps_keys: "database",
    body: "media",
  },
  { name: "listSkills", method: "GET", path: "/v1/skills", access: "agents:read", body: "none" },
  {
    name: "readSkill",
    method: "GET",
    path: "/v1/skills/{skill_id}",
    access: "agents:read",
    body: "none",
  },
  {
    name: "deleteSkill",
    method: "DELETE",
    path: "/v1/skills/{skill_id}",
    access: "agents:write",
    body: "none",
  },
  {
    name: "createSkillVersion",
    method: "POST",
    path: "/v1/skills/{skill_id}/versions",
    access: "agents:write",
    keeps_keys: "database",
    body: "media",
  },
  {
    name: "listSkillVersions",
    method: "GET",
    path: "/v1/skills/{skill_id}/versions",
    access: "agents:read",
    body: "none",
  },
  {
    name: "readSkillVersion",
    method: "GET",
    path: "/v1/skills/{skill_id}/versions/{version}",
    access: "agents:read",
    body: "none",
  },
  {
    name: "readSkillContent",
    method: "GET",
    path: "/v1/skills/{skill_id}/versions/{version}/content",
    access: "agents:read",
    body: "none",
  },
] as const satisfies readonly Route[];
