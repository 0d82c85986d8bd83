CREATE TABLE `skill_versions` (
	`tenant_id` text NOT NULL,
	`skill_id` text NOT NULL,
	`version` integer NOT NULL,
	`description` text NOT NULL,
	`file_id` text NOT NULL,
	`files` text NOT NULL,
	`body_offset` integer NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`skill_id`, `version`)
);
--> statement-breakpoint
CREATE TABLE `skills` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`version` integer NOT NULL,
	`file_count` integer NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `skills_tenant` ON `skills` (`tenant_id`,`id`);--> statement-breakpoint
ALTER TABLE `tenant_counts` ADD `skills` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE TRIGGER `skills_counted` AFTER INSERT ON `skills` BEGIN
  UPDATE `tenant_counts` SET `skills` = `skills` + 1 WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded skills') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`skills` > coalesce(json_extract(`tenants`.`quotas`, '$.skills'), 1000);
END;
--> statement-breakpoint
CREATE TRIGGER `skills_uncounted` AFTER DELETE ON `skills` BEGIN
  UPDATE `tenant_counts` SET `skills` = `skills` - 1 WHERE `tenant_id` = OLD.`tenant_id`;
END;
