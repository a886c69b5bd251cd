// Filled by the layer's first type.
