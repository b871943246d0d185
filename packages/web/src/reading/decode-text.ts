export { type DecodedText, decodeText, textMaxBytes } from '../api/decode-text.ts';
