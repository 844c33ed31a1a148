/// Part of every content key: raised whenever the same slice would give other bytes, so that no artifact of an older
/// renderer is taken for a new one.
public let rendererVersion = 10
