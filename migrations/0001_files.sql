CREATE TABLE `file_references` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`file_id` text NOT NULL,
	`due_at` text,
	PRIMARY KEY(`session_id`, `file_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `file_references_file` ON `file_references` (`file_id`);--> statement-breakpoint
CREATE INDEX `file_references_due` ON `file_references` (`due_at`) WHERE "file_references"."due_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `file_sweep` (
	`id` integer PRIMARY KEY NOT NULL,
	`cursor` text
);
--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`session_id` text,
	`name` text,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`etag` text,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`due_at` text
);
--> statement-breakpoint
CREATE INDEX `files_tenant` ON `files` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `files_due` ON `files` (`due_at`) WHERE "files"."due_at" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `files_counted` AFTER INSERT ON `files` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` + max(NEW.`bytes`, 4096) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded stored_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`stored_bytes` > json_extract(`tenants`.`quotas`, '$.stored_bytes');
END;
--> statement-breakpoint
CREATE TRIGGER `files_recounted` AFTER UPDATE OF `bytes` ON `files` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` + max(NEW.`bytes`, 4096) - max(OLD.`bytes`, 4096) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded stored_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`bytes` > OLD.`bytes` AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`stored_bytes` > json_extract(`tenants`.`quotas`, '$.stored_bytes');
END;
--> statement-breakpoint
CREATE TRIGGER `files_uncounted` AFTER DELETE ON `files` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` - max(OLD.`bytes`, 4096) WHERE `tenant_id` = OLD.`tenant_id`;
END;
