export type * from './auth-calls.ts';
export type { Call, CallOptions, RouteInput, RouteReply, Routes } from './call.ts';
export { FeedStoppedError, StoaApiError, StoaConnectionError } from './errors.ts';
export { type FeedPace, type FollowFeedOptions, followFeed, realPace } from './follow-feed.ts';
export type * from './outcomes.ts';
export type { ByteBody } from './read-response.ts';
export { type RetryDelays, type RetryOptions, retry, retryPauseMs } from './retry.ts';
export { encodePath } from './route-address.ts';
export { createStoaClient, type StoaClient } from './stoa-client.ts';
export type {
  FileContent,
  HttpResponse,
  ResponseHeaders,
  Send,
  SentRequest,
  TransportOptions,
} from './transport.ts';
