-- Events that were renamed, and the application's id in events of identity.

-- in live, test

update outbox_events set type = 'InteractionsReported' where type = 'BehaviourReported';
update outbox_events set type = 'ExternalPriceMismatched' where type = 'OutsidePriceDisagreed';
update outbox_events
set fields = ((fields::jsonb - 'clientId') || jsonb_build_object('applicationId', fields -> 'clientId'))::json
where type in ('ApplicationRegistered', 'ApplicationChanged', 'ApplicationDeleted', 'ApiKeyIssued', 'ApiKeyRevoked',
    'ClientSecretRotated', 'ClientSecretRevoked', 'AuthorizationGranted', 'TokensRevoked', 'RefreshTokenReused',
    'TokenRevoked')
  and fields -> 'clientId' is not null;
update webhooks_endpoints
set filters = array_replace(array_replace(filters, 'BehaviourReported', 'InteractionsReported'),
  'OutsidePriceDisagreed', 'ExternalPriceMismatched');
