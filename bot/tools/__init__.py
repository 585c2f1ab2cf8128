"""What a model may do: tools, who may call which, and what runs them."""
