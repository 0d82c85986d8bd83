// Words of fields that the schemas of this room have.
export const SKILL_WORDS = {
  "Skill.name": "From the front matter of SKILL.md; the same in all versions.",
  "Skill.description":
    "From the front matter of SKILL.md: what the skill is for, and when to use it.",
  "Skill.version": "The number of the newest version, or of this one; the first is 1.",
  "Skill.file_count": "The number of its files.",
  "Skill.bytes": "The size of all files together.",
  "Skill.updated_at": "When the newest version was made.",
  "Skill.skill_id": "The skill.",
  "Skill.files": "SKILL.md first, then by path.",
  "SkillVersion.skill_id": "The skill.",
  "SkillVersion.version": "The number of the version; the first is 1.",
  "SkillVersion.description": "From the front matter of its SKILL.md.",
  "SkillVersion.file_count": "The number of its files.",
  "SkillVersion.bytes": "The size of all files together.",
  "SkillWrite.files": "With a SKILL.md among them; 200 at most, of 5,000,000 bytes together.",
  "SkillFile.path": "Its place below the skill's folder, with `/` between names.",
  "SkillFile.text": "Its content as text; stored as UTF-8.",
  "SkillFile.base64": "Its content as base64.",
  "SkillFile.bytes": "Its size.",
  "SkillFile.media_type": "Recognised by its bytes; of text by the end of its path.",
  "SkillFile.is_text": "Whether it is UTF-8, which is what a model can read.",
} as const;
