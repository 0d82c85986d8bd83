-- People of the operator: members whose owner is `operator` in place of a tenant's id. Their number is bounded here, since the
-- operator has no quotas. Keys of tenants are found by the person who made them, whoever's they are.
DROP INDEX `api_keys_maker`;
--> statement-breakpoint
CREATE INDEX `api_keys_maker` ON `api_keys` (`created_by`,`tenant_id`);
--> statement-breakpoint
CREATE TRIGGER `members_operator_bounded` BEFORE INSERT ON `members` WHEN NEW.`tenant_id` = 'operator' AND (SELECT count(*) FROM `members` WHERE `tenant_id` = 'operator' AND `removed_at` IS NULL) >= 100 BEGIN
  SELECT RAISE(ABORT, 'operator_members_full');
END;
