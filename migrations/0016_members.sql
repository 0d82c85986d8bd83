-- People of a tenant: members with their passkeys, the challenges that were answered, and their sessions of the console, which
-- have no key. Entries of the audit and decisions keep a member's name.
CREATE TABLE `answered_challenges` (
	`tenant_id` text NOT NULL,
	`hash` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `hash`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `answered_challenges_expiry` ON `answered_challenges` (`expires_at`);
--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`email` text,
	`role` text NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`link_hash` text,
	`link_expires_at` text,
	`joined_at` text,
	`last_sign_in_at` text,
	`removed_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_link_hash` ON `members` (`link_hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_email` ON `members` (`tenant_id`,`email`) WHERE "members"."removed_at" IS NULL AND "members"."email" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `members_tenant` ON `members` (`tenant_id`,`id`);
--> statement-breakpoint
CREATE INDEX `members_addresses_kept` ON `members` (`removed_at`) WHERE "members"."removed_at" IS NOT NULL AND "members"."email" IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`member_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `passkeys_member` ON `passkeys` (`tenant_id`,`member_id`);
--> statement-breakpoint
CREATE TABLE `__new_console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text,
	`key_id` text,
	`member_id` text,
	`scopes` text,
	`link_hash` text,
	`link_expires_at` text,
	`created_at` text NOT NULL,
	`hash` text,
	`started_at` text,
	`expires_at` text NOT NULL,
	`last_used_at` text,
	`ended_at` text
);
--> statement-breakpoint
INSERT INTO `__new_console_sessions`("id", "tenant_id", "key_id", "member_id", "scopes", "link_hash", "link_expires_at", "created_at", "hash", "started_at", "expires_at", "last_used_at", "ended_at") SELECT "id", "tenant_id", "key_id", NULL, "scopes", "link_hash", "link_expires_at", "created_at", "hash", "started_at", "expires_at", "last_used_at", "ended_at" FROM `console_sessions`;
--> statement-breakpoint
DROP TABLE `console_sessions`;
--> statement-breakpoint
ALTER TABLE `__new_console_sessions` RENAME TO `console_sessions`;
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_link_hash` ON `console_sessions` (`link_hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_hash` ON `console_sessions` (`hash`);
--> statement-breakpoint
CREATE INDEX `console_sessions_tenant` ON `console_sessions` (`tenant_id`);
--> statement-breakpoint
CREATE INDEX `console_sessions_member` ON `console_sessions` (`tenant_id`,`member_id`);
--> statement-breakpoint
CREATE INDEX `console_sessions_expiry` ON `console_sessions` (`expires_at`);
--> statement-breakpoint
ALTER TABLE `tenant_counts` ADD `members` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `member_links` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `actor_name` text;
--> statement-breakpoint
CREATE INDEX `audit_entries_members_rules` ON `audit_entries` (`tenant_id`,`actor_id`,`id`) WHERE "audit_entries"."actor_kind" = 'member' AND "audit_entries"."action" = 'session.rules_added';
--> statement-breakpoint
ALTER TABLE `decisions` ADD `decider_name` text;
--> statement-breakpoint
CREATE TRIGGER `members_counted` AFTER INSERT ON `members` BEGIN
  UPDATE `tenant_counts` SET `members` = `members` + 1, `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`email` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded members') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`members` > coalesce(json_extract(`tenants`.`quotas`, '$.members'), 100);
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `members_uncounted` AFTER DELETE ON `members` BEGIN
  UPDATE `tenant_counts` SET `members` = max(`members` - (OLD.`removed_at` IS NULL), 0), `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`email` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `members_resized` AFTER UPDATE OF `name`, `email` ON `members` WHEN NEW.`name` IS NOT OLD.`name` OR NEW.`email` IS NOT OLD.`email` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (300 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`email` AS BLOB)), 0)) - (300 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`email` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 300 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`email` AS BLOB)), 0) > 300 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`email` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `members_ended` AFTER UPDATE OF `removed_at` ON `members` WHEN OLD.`removed_at` IS NULL AND NEW.`removed_at` IS NOT NULL BEGIN
  UPDATE `tenant_counts` SET `members` = max(`members` - 1, 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
-- The rebuilt table's triggers. A member may sign in to make room.
CREATE TRIGGER `console_sessions_sized` AFTER INSERT ON `console_sessions` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 500 + ifnull(length(CAST(NEW.`scopes` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`member_id` IS NULL AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `console_sessions_unsized` AFTER DELETE ON `console_sessions` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (500 + ifnull(length(CAST(OLD.`scopes` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
DROP TRIGGER `audit_entries_sized`;
--> statement-breakpoint
-- Acts of members are refused like those of keys, but for what ends something and for signing in.
CREATE TRIGGER `audit_entries_sized` AFTER INSERT ON `audit_entries` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`target_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`before` AS BLOB)), 0) + ifnull(length(CAST(NEW.`after` AS BLOB)), 0) + ifnull(length(CAST(NEW.`address` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`actor_kind` IN ('api_key', 'member') AND NEW.`action` NOT LIKE '%.deleted' AND NEW.`action` NOT IN ('api_key.revoked', 'session.rule_removed', 'console_session.ended', 'member.removed') AND (NEW.`actor_kind` <> 'member' OR NEW.`action` <> 'console_session.started') AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
