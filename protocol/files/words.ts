// Words of fields that the schemas of this room have.
export const FILE_WORDS = {
  "File.bytes": "Its size.",
  "File.media_type": "Recognised by its first bytes.",
  "File.name": "The name that it was uploaded with; null for none.",
  "File.session_id": "The session that it was uploaded for; null for a file of the tenant.",
  "File.url": "Its address for the source of a data block. Reading it needs a credential.",
  "FileLink.expires_at": "Until when the link works.",
  "FileLink.ttl_seconds": "Seconds until it expires.",
  "FileLink.url": "The link.",
} as const;
