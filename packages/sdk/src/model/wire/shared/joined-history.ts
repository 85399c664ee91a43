/**
 * The part of a request that its next one begins with as well, in one piece: what came since the last request is
 * put behind it. A thousand small pieces cost more to send than to write once.
 */
export type JoinedHistory = (owner: object, pieces: readonly Uint8Array[]) => Uint8Array;

interface Joined {
  pieces: readonly Uint8Array[];
  buffer: Buffer;
  length: number;
}

/** `owner` is what a session keeps from request to request; the piece is kept for as long as that lives. */
export function createJoinedHistory(): JoinedHistory {
  const known = new WeakMap<object, Joined>();
  return (owner, pieces) => {
    let joined = known.get(owner);
    // Bytes that were handed out may still be on their way: they are never written over, only written behind.
    if (joined === undefined || !beginsWith(pieces, joined.pieces)) {
      joined = { pieces: [], buffer: Buffer.alloc(0), length: 0 };
      known.set(owner, joined);
    }
    const length = joined.length + sizeFrom(pieces, joined.pieces.length);
    if (length > joined.buffer.byteLength) {
      // Room for half as much again, so that growing is rare and the waste bounded.
      const larger = Buffer.allocUnsafeSlow(length + (length >> 1));
      joined.buffer.copy(larger, 0, 0, joined.length);
      joined.buffer = larger;
    }
    for (let i = joined.pieces.length, at = joined.length; i < pieces.length; i += 1) {
      const piece = pieces[i] as Uint8Array;
      joined.buffer.set(piece, at);
      at += piece.byteLength;
    }
    joined.pieces = pieces;
    joined.length = length;
    return joined.buffer.subarray(0, length);
  };
}

function beginsWith(pieces: readonly Uint8Array[], start: readonly Uint8Array[]): boolean {
  return start.length <= pieces.length && start.every((piece, i) => piece === pieces[i]);
}

function sizeFrom(pieces: readonly Uint8Array[], first: number): number {
  let size = 0;
  for (let i = first; i < pieces.length; i += 1) size += (pieces[i] as Uint8Array).byteLength;
  return size;
}
